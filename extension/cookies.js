// Cookies of the profile, in the form of the DevTools protocol. Which of them programs may see and change is decided by the relay.

const SAME_SITE = { no_restriction: "None", lax: "Lax", strict: "Strict" };
const FROM_SAME_SITE = { None: "no_restriction", Lax: "lax", Strict: "strict" };
const encoder = new TextEncoder();

export async function list() {
  const cookies = await chrome.cookies.getAll({ partitionKey: {} });
  return { cookies: cookies.map(shown) };
}

// What Chrome does not report to extensions has the values that mean "unknown".
/** @param {any} cookie partitioned cookies are newer than the type */
function shown(cookie) {
  const { name, value, domain, path, expirationDate, httpOnly, secure, session, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    expires: session ? -1 : expirationDate,
    size: encoder.encode(name + value).length,
    httpOnly,
    secure,
    session,
    ...(sameSite in SAME_SITE && { sameSite: SAME_SITE[sameSite] }),
    priority: "Medium",
    sourceScheme: "Unset",
    sourcePort: -1,
    ...(partitionKey?.topLevelSite && { partitionKey: { topLevelSite: partitionKey.topLevelSite, hasCrossSiteAncestor: Boolean(partitionKey.hasCrossSiteAncestor) } }),
  };
}

export async function change({ set = [], remove = [] }) {
  for (const cookie of set) {
    const done = await chrome.cookies.set(details(cookie)).catch(() => null);
    // One that has already expired is removed, which is not reported.
    if (!done && !(cookie.expires >= 0 && cookie.expires * 1000 < Date.now())) throw new Error(JSON.stringify({ code: -32602, message: "Invalid cookie fields" }));
  }
  for (const cookie of remove) {
    const { name, partitionKey } = cookie;
    await chrome.cookies.remove({ url: urlOf(cookie), name, ...(partitionKey && { partitionKey }) });
  }
}

function details(cookie) {
  const { name, value, domain = "", path, expires, httpOnly = false, secure = false, sameSite, partitionKey } = cookie;
  return {
    url: cookie.url || urlOf(cookie),
    name,
    value,
    ...(domain.startsWith(".") && { domain }), // without a dot it is for this host only
    ...(path && { path }),
    ...(expires >= 0 && { expirationDate: expires }),
    httpOnly,
    secure,
    sameSite: FROM_SAME_SITE[sameSite] ?? "unspecified",
    ...(partitionKey && { partitionKey }),
  };
}

function urlOf({ domain, path = "/", secure }) {
  return `${secure ? "https" : "http"}://${domain.replace(/^\./, "")}${path}`;
}
