/** Draws the icons from icons/mark.svg with Chromium: `node build/icons.mjs`. The results are checked in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';
import { root } from './paths.mjs';

const folder = join(root, 'build', 'icons');
const mark = readFileSync(join(folder, 'mark.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
const page = await browser.newPage();

const app = (px) => `
  <div style="width:${px}px;height:${px}px;display:grid;place-items:center">
    <div style="width:82%;height:82%;border-radius:22.5%;display:grid;place-items:center;color:#f4f6fb;
      background:linear-gradient(160deg,#16907f,#0a4f46);box-shadow:0 ${px / 128}px ${px / 42}px #0006">
      <div style="width:70%;height:70%">${mark}</div>
    </div>
  </div>`;
const bare = (color) => (px) => `<div style="width:${px}px;height:${px}px;color:${color}">${mark}</div>`;
/** A question is waiting: a dot in a cutout of the mark. */
const waiting = (color, dot) => (px) =>
  `
  <div style="position:relative;width:${px}px;height:${px}px">
    <div style="mask:radial-gradient(circle ${px * 0.3}px at 80% 20%,#0000 95%,#000)">${bare(color)(px)}</div>
    <div style="position:absolute;right:0;top:0;width:40%;height:40%;border-radius:50%;background:${dot}"></div>
  </div>`;
/** All tools are paused: two bars in a cutout of the mark. */
const paused = (color) => (px) =>
  `
  <div style="position:relative;width:${px}px;height:${px}px">
    <div style="mask:linear-gradient(#000,#000) no-repeat 0 0/52% 100%,linear-gradient(#000,#000) no-repeat 0 100%/100% 48%">${bare(color)(px)}</div>
    <div style="position:absolute;right:0;top:0;width:38%;height:42%;border:solid ${color};border-width:0 ${px * 0.13}px;box-sizing:border-box"></div>
  </div>`;

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const icons = new Map();
for (const size of sizes) icons.set(size, await draw(app, size));
for (const size of sizes.filter((each) => each <= 512)) save(`linux/${size}x${size}.png`, icons.get(size));
save('icon-256.png', icons.get(256));
save('icon.png', icons.get(1024));
save('icon.ico', ico([16, 24, 32, 48, 64, 128, 256]));
save('icon.icns', icns());
// Panels on Linux and Windows may be dark or light, so use a color that contrasts with both.
for (const [suffix, scale] of [
  ['', 1],
  ['@2x', 2],
]) {
  save(`trayTemplate${suffix}.png`, await draw(bare('#000'), 18 * scale));
  save(`trayWaitingTemplate${suffix}.png`, await draw(waiting('#000', '#000'), 18 * scale));
  save(`trayPausedTemplate${suffix}.png`, await draw(paused('#000'), 18 * scale));
  save(`tray${suffix}.png`, await draw(bare('#1fa592'), 22 * scale));
  save(`trayWaiting${suffix}.png`, await draw(waiting('#1fa592', '#e8862e'), 22 * scale));
  save(`trayPaused${suffix}.png`, await draw(paused('#8a93a0'), 22 * scale));
}
// Windows scales images of other sizes, which blurs them.
const traySizes = [16, 20, 24, 32];
for (const [name, html] of [
  ['tray', bare('#1fa592')],
  ['trayWaiting', waiting('#1fa592', '#e8862e')],
  ['trayPaused', paused('#8a93a0')],
]) {
  const images = new Map();
  for (const size of traySizes) images.set(size, await draw(html, size));
  save(`${name}.ico`, ico(traySizes, images));
}
await browser.close();

async function draw(html, size) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100%;height:100%}</style>${html(size)}`);
  return page.screenshot({ omitBackground: true });
}

function save(name, bytes) {
  writeFileSync(join(folder, name), bytes);
}

/** A directory of PNGs. */
function ico(wanted, from = icons) {
  const head = Buffer.alloc(6 + 16 * wanted.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(wanted.length, 4);
  let offset = head.length;
  wanted.forEach((size, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(from.get(size).length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += from.get(size).length;
  });
  return Buffer.concat([head, ...wanted.map((size) => from.get(size))]);
}

/** Chunks of PNGs by four-letter type. */
function icns() {
  const types = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 };
  const chunks = Object.entries(types).map(([type, size]) => chunk(type, icons.get(size)));
  return chunk('icns', Buffer.concat(chunks));
}

function chunk(type, body) {
  const head = Buffer.from(`${type}0000`, 'latin1');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}
