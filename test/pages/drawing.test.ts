/** Tests drawn link previews and icons: texts stay within the margins, whatever the title, and logos are drawn. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { silentLog } from '../../src/base/log.ts';
import { createDrawer, type DrawingTask, type PreviewTask, previewSize } from '../../src/pages/drawing.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { createManualClock } from '../support/manual-clock.ts';

const preview: PreviewTask = {
  kind: 'preview',
  title: 'Shelves',
  product: 'Larder',
  accent: '#8a2f8f',
  logo: null,
};
const svgLogo = (shapes: string): string =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">${shapes}</svg>`).toString('base64')}`;

describe('createDrawer: link previews and icons', () => {
  const workers = createWorkers({ clock: createManualClock(0) });
  const drawer = createDrawer({ workers, log: silentLog });
  before(() => initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')))));
  after(() => workers.stop());

  /** Draws a task. Returns the size of the PNG and functions that read its pixels; `getColor` returns `rrggbbaa`. */
  async function drawImage(task: DrawingTask) {
    const png = await drawer.draw(task);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const image = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="data:image/png;base64,${png.toString('base64')}" width="${width}" height="${height}"/></svg>`;
    const { buffer, byteOffset, length } = new Resvg(image).render().pixels;
    const pixels = new DataView(buffer, byteOffset, length);
    const getColor = (x: number, y: number): string =>
      pixels
        .getUint32(4 * (y * width + x))
        .toString(16)
        .padStart(8, '0');
    const isEmpty = (left: number, top: number, right: number, bottom: number): boolean => {
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) if (pixels.getUint32(4 * (y * width + x)) !== ground) return false;
      }
      return true;
    };
    return { png, width, height, getColor, isEmpty };
  }
  const ground = 0xfcfcfbff;

  const titles: Readonly<Record<string, string>> = {
    'a short title': 'Shelves',
    'a long title': 'How to move every jar from one shelf to another without losing the order '.repeat(4),
    'one long word': 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    'wide letters': 'W'.repeat(300),
    'Greek and Cyrillic': 'Πώς να μετακινήσετε ένα βάζο · Как переставить банку',
    markup: '</text><rect width="1200" height="630"/> & "quotes" <b>',
  };
  for (const [name, title] of Object.entries(titles)) {
    it(`a preview keeps ${name} within its margins`, async () => {
      const { width, height, getColor, isEmpty } = await drawImage({ ...preview, title });
      assert.deepEqual({ width, height }, previewSize);
      assert.equal(isEmpty(0, 0, 75, 600), true, 'left');
      assert.equal(isEmpty(1125, 0, 1200, 600), true, 'right');
      assert.equal(isEmpty(0, 140, 1200, 175), true, 'under the name');
      assert.equal(isEmpty(0, 580, 1200, 608), true, 'above the bar');
      assert.equal(isEmpty(75, 80, 1125, 135), false, 'the name');
      assert.equal(isEmpty(75, 180, 1125, 575), false, 'the title');
      assert.equal(getColor(600, 620), '8a2f8fff', 'the bar has the accent');
    });
  }

  it('a preview shows only the logo if the font Inter lacks a character of the name or the title', async () => {
    const logo = svgLogo('<rect width="64" height="64" fill="#0000ff"/>');
    for (const task of [
      { ...preview, logo, title: '瓶を棚に移す' },
      { ...preview, logo, product: 'מזווה' },
    ]) {
      const { getColor, isEmpty } = await drawImage(task);
      assert.equal(getColor(116, 108), '0000ffff');
      assert.equal(isEmpty(160, 0, 1200, 600), true);
      assert.equal(isEmpty(0, 150, 1200, 600), true);
    }
  });

  it('a preview shows the logo, and omits a logo that cannot be drawn', async () => {
    const logo = svgLogo('<rect width="64" height="64" fill="#0000ff"/>');
    const { getColor } = await drawImage({ ...preview, logo });
    assert.equal(getColor(116, 108), '0000ffff');
    const plain = await drawer.draw(preview);
    assert.equal((await drawer.draw({ ...preview, logo: 'data:image/png;base64,AAAA' })).equals(plain), true);
  });

  it('an icon fills its square, with an initial and with logos of different shapes', async () => {
    const icon: DrawingTask = { kind: 'icon', size: 180, accent: '#8a2f8f', letter: 'L', logo: null };
    const initial = await drawImage(icon);
    assert.deepEqual([initial.width, initial.height, initial.getColor(0, 0)], [180, 180, '8a2f8fff']);
    const round = await drawImage({
      ...icon,
      logo: svgLogo('<rect x="2" y="2" width="60" height="60" rx="15" fill="#12807a"/>'),
    });
    assert.deepEqual([round.getColor(0, 0), round.getColor(90, 90)], ['12807aff', '12807aff']);
    const circle = await drawImage({
      ...icon,
      size: 512,
      logo: svgLogo('<circle cx="32" cy="32" r="20" fill="#ff0000"/>'),
    });
    assert.deepEqual([circle.width, circle.getColor(0, 0), circle.getColor(256, 256)], [512, 'ffffffff', 'ff0000ff']);
  });
});
