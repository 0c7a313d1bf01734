// Readability.js over the pages that standard input names: {folder, pages: {name: file}} gives {name: html}.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { createRequire } = require('node:module');

const { folder, pages } = JSON.parse(fs.readFileSync(0, 'utf8'));
const load = createRequire(path.join(folder, 'package.json'));
const { Readability } = load('@mozilla/readability');
const { JSDOM, VirtualConsole } = load('jsdom');

const read = (file) => {
  const dom = new JSDOM(fs.readFileSync(file, 'utf8'), { url: 'http://127.0.0.1/', virtualConsole: new VirtualConsole() });
  try {
    const article = new Readability(dom.window.document).parse();
    return article ? article.content : '';
  } finally {
    dom.window.close();
  }
};

const found = {};
for (const [name, file] of Object.entries(pages)) found[name] = read(file);
const versions = ['@mozilla/readability', 'jsdom'].map((name) => [name, load(`${name}/package.json`).version]);
process.stdout.write(JSON.stringify({ versions: Object.fromEntries(versions), found }));
