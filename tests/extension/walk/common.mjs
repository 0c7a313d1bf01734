// What the walks of both clients share: values made comparable, events, and the loop over cases.
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

process.on("unhandledRejection", () => {}); // of what a case leaves behind
const CASE_MS = 20_000;
export const given = JSON.parse(process.argv[2]); // { client, packages, endpoint, site, only }
export const require = createRequire(join(given.packages, "walk.js"));
export const folder = mkdtempSync(join(tmpdir(), "boathook-walk-"));
export const fixture = `${given.site}/walk/page`;
export const other = `${given.site}/walk/other`;

export function scrubbed(text) {
  return text
    .replaceAll(given.site, "SITE")
    .replaceAll(given.site.replace("127.0.0.1", "localhost"), "OTHER")
    .replaceAll(folder, "FOLDER")
    .replace(/[0-9A-F]{32}/g, "ID")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "GUID")
    .replace(/boathook-[a-z0-9-]+/g, "ID")
    .replace(/-?\d{10,}(\.\d+)?/g, "NUMBER");
}

// A value as JSON: bytes by their kind, errors by their first line.
export function plain(value) {
  if (value === undefined) return null;
  if (value instanceof Error) return { error: scrubbed(value.message.split("\n")[0]) };
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value.slice(0, 4)).toString("latin1").replace(/[^ -~]/g, ".")}`;
  return JSON.parse(scrubbed(JSON.stringify(value, (_key, one) => (typeof one === "bigint" ? String(one) : one)) ?? "null"));
}

export function limited(work, ms = CASE_MS) {
  let timer;
  const late = new Promise((_done, fail) => {
    timer = setTimeout(() => fail(new Error(`not within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// Whether something is still pending after a moment in which all else was answered.
export async function isPending(promise, barrier) {
  const seen = await Promise.race([promise.then(() => "ended", () => "ended"), barrier().then(() => "pending")]);
  return seen;
}

export function wanted(cases) {
  const all = Object.entries(cases).flatMap(([kind, methods]) => Object.keys(methods).map((method) => `${kind}.${method}`));
  return given.only ? all.filter((name) => given.only.includes(name)) : all;
}

export async function walk(cases, run) {
  for (const name of wanted(cases)) {
    const dot = name.indexOf(".");
    const began = performance.now();
    const seen = await run(name.slice(0, dot), cases[name.slice(0, dot)][name.slice(dot + 1)]);
    console.log(JSON.stringify({ name, ...seen, ms: Math.round(performance.now() - began) }));
  }
}
