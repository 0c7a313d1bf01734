// The browser's name as its users know it, and its page of extensions.

// In this order: each of them is a Chromium too, and some say that they are Chrome.
const BROWSERS = [
  ["Microsoft Edge", "Edge", "edge://extensions"],
  ["Brave", "Brave", "brave://extensions"],
  ["Opera", "Opera", "opera://extensions"],
  ["Vivaldi", "Vivaldi", "vivaldi://extensions"],
  ["Google Chrome", "Chrome", "chrome://extensions"],
];
const OTHERS = ["", "Chromium", "chrome://extensions"];

function known() {
  // @ts-ignore: not in the type declarations yet
  const brands = (navigator.userAgentData?.brands ?? []).map(({ brand }) => brand);
  return BROWSERS.find(([brand]) => brands.includes(brand)) ?? OTHERS;
}

export function browserName() {
  return known()[1];
}

export function extensionsPage() {
  return known()[2];
}
