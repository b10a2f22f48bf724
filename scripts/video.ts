/** Makes the video of hold-to-talk, in both themes, from drawings: `npm run video`. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const usage = `node scripts/video.ts [--ffmpeg PATH]

  Draws each frame as SVG, renders it with the fonts of the lock file, and encodes the frames with ffmpeg (H.264).
  --ffmpeg PATH  an ffmpeg with libx264 (default: ffmpeg)`;

const { values } = parseArgs({ options: { ffmpeg: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help === true) {
  console.log(usage);
  process.exit();
}

/** The colors of the other pictures in content/assets. */
const themes = {
  light: {
    desk: '#e4ebea',
    win: '#ffffff',
    edge: '#d5dad9',
    side: '#f3f5f5',
    text: '#1d2423',
    soft: '#5d6866',
    accent: '#0b6b64',
    tint: '#d3e9e6',
    key: '#fbfcfc',
    keyEdge: '#b9c2c0',
    cursor: '#0b6b64',
  },
  dark: {
    desk: '#19211f',
    win: '#242a29',
    edge: '#3b4442',
    side: '#1c2221',
    text: '#eef2f1',
    soft: '#a3afac',
    accent: '#12807a',
    tint: '#17403c',
    key: '#343c3a',
    keyEdge: '#55605d',
    cursor: '#5cc4ba',
  },
} as const;
type Theme = (typeof themes)[keyof typeof themes];

/** The lowest part has nothing in it: there the browser's controls are. */
const size = { width: 480, height: 300 };
const framesPerSecond = 15;
/** In seconds from the beginning. */
const moments = { hold: 0.8, release: 4.2, end: 6.6 };
/** What is said, with the moment at which each word has been said. */
const spoken = [
  { word: 'See', at: 1.4 },
  { word: 'you', at: 1.65 },
  { word: 'on', at: 1.9 },
  { word: 'Tuesday', at: 2.4 },
  { word: 'period', at: 3.3 },
] as const;
const written = 'See you on Tuesday.';
/** The frame that stands for the video before it is played. */
const posterAt = 2.8;

const text = (x: number, y: number, words: string, fill: string, more = ''): string =>
  `<text x="${x}" y="${y}" fill="${fill}"${more === '' ? '' : ` ${more}`}>${words}</text>`;

/** 0 before `from`, 1 from `seconds` later on, and a smooth way between the two. */
function eased(now: number, from: number, seconds: number): number {
  const part = Math.min(1, Math.max(0, (now - from) / seconds));
  return part * part * (3 - 2 * part);
}

/** The lines of a voice, as high as it is loud. */
function voice(now: number, x: number, y: number, lines: number, gap: number, most: number): string {
  const path = Array.from({ length: lines }, (_, index) => {
    const loudness = 0.55 + 0.45 * Math.sin(index * 1.9 + now * 9) * Math.cos(index * 0.7 - now * 5);
    const half = Math.max(2, most * loudness);
    return `M${x + index * gap} ${(y - half).toFixed(1)}v${(2 * half).toFixed(1)}`;
  });
  return path.join('');
}

function menuBar(now: number, listens: boolean, theme: Theme): string {
  const icon = listens ? theme.accent : 'none';
  const line = listens ? '#ffffff' : theme.text;
  return `<path d="M0 12a12 12 0 0 1 12-12h456a12 12 0 0 1 12 12v18H0z" fill="${theme.side}"/>
<path d="M0 30.5h480" stroke="${theme.edge}"/>
${text(18, 20, 'TextEdit', theme.text, 'font-weight="600"')}${text(90, 20, 'File', theme.text)}${text(128, 20, 'Edit', theme.text)}
<rect x="368" y="5" width="24" height="20" rx="5" fill="${icon}"/>
<path d="${voice(listens ? now : 1, 374, 15, 5, 3, 6)}" stroke="${line}" stroke-width="1.7" stroke-linecap="round"/>
${text(462, 20, '9:41 AM', theme.text, 'text-anchor="end"')}`;
}

function note(now: number, theme: Theme): string {
  const isWritten = now >= moments.release + 0.35;
  const cursorX = isWritten ? 217 : 60;
  const blinks = now % 1 < 0.6 || (now > moments.hold && now < moments.release);
  return `<rect x="36.5" y="40.5" width="407" height="103" rx="10" fill="${theme.win}" stroke="${theme.edge}"/>
<circle cx="54" cy="56" r="5" fill="#ed6a5e"/><circle cx="71" cy="56" r="5" fill="#f4bf4f"/><circle cx="88" cy="56" r="5" fill="#61c554"/>
${text(240, 61, 'Untitled', theme.text, 'font-weight="600" text-anchor="middle"')}
<path d="M36 72.5h408" stroke="${theme.edge}"/>
${isWritten ? text(60, 101, written, theme.text, 'font-size="17" textLength="155"') : ''}
${blinks ? `<path d="M${cursorX}.5 86v20" stroke="${theme.cursor}" stroke-width="2"/>` : ''}`;
}

/** The panel that is there while the key is held. */
function panel(now: number, theme: Theme): string {
  const shown = eased(now, moments.hold + 0.1, 0.25) * (1 - eased(now, moments.release + 0.05, 0.25));
  if (shown === 0) return '';
  const heard = spoken.filter(({ at }) => at <= now).map(({ word }) => word);
  const words = heard.length === 0 ? '' : `“${heard.join(' ')}${heard.length === spoken.length ? '”' : ''}`;
  const seconds = Math.floor(now - moments.hold);
  return `<g opacity="${shown.toFixed(2)}">
<rect x="76.5" y="118.5" width="327" height="44" rx="22" fill="${theme.win}" stroke="${theme.edge}"/>
<circle cx="99" cy="140.5" r="14" fill="${theme.accent}"/>
<path d="${voice(now, 92, 140.5, 5, 3.5, 7)}" stroke="#ffffff" stroke-width="1.9" stroke-linecap="round"/>
${text(124, 145, words, theme.text)}${text(386, 145, `0:0${seconds}`, theme.soft, 'text-anchor="end"')}
</g>`;
}

function key(now: number, theme: Theme): string {
  const down = eased(now, moments.hold, 0.12) * (1 - eased(now, moments.release, 0.12));
  const y = 172 + 5 * down;
  const face = down > 0.5 ? theme.tint : theme.key;
  return `<rect x="186.5" y="178.5" width="107" height="48" rx="9" fill="${theme.keyEdge}"/>
<rect x="186.5" y="${(y + 0.5).toFixed(1)}" width="107" height="48" rx="9" fill="${face}" stroke="${theme.keyEdge}"/>
${text(282, Number((y + 20).toFixed(1)), '⌥', theme.text, 'text-anchor="end"')}${text(282, Number((y + 39).toFixed(1)), 'option', theme.text, 'text-anchor="end"')}`;
}

/** What the person does, next to the key. */
function steps(now: number, theme: Theme): string {
  const named = [
    { name: '1. Hold', from: moments.hold },
    { name: '2. Speak', from: spoken[0].at - 0.3 },
    { name: '3. Release', from: moments.release },
  ];
  const current = named.findLast(({ from }) => now >= from);
  return current === undefined
    ? ''
    : text(90, 207, current.name, theme.text, 'font-size="17" font-weight="600" text-anchor="middle"');
}

const frame = (now: number, theme: Theme, face: string): string => {
  const listens = now >= moments.hold + 0.1 && now < moments.release;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="${face}" font-size="14" role="img" aria-label="A dictation with hold-to-talk">
<rect width="${size.width}" height="${size.height}" fill="${theme.desk}"/>
${menuBar(now, listens, theme)}
${note(now, theme)}
${panel(now, theme)}
${key(now, theme)}
${steps(now, theme)}
</svg>
`;
};

const packaged = (path: string): Buffer => readFileSync(fileURLToPath(import.meta.resolve(path)));
const fontBuffers = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
].map(packaged);

/** At twice the size, for screens with two pixels to one. */
function png(svg: string): Uint8Array {
  const drawing = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: 'Inter' },
    fitTo: { mode: 'width', value: 2 * size.width },
  });
  const image = drawing.render();
  const bytes = image.asPng();
  image.free();
  drawing.free();
  return bytes;
}

/** The same bytes each time: one thread, no date, no name of the encoder. */
const encoding = [
  ...['-c:v', 'libx264', '-preset', 'veryslow', '-tune', 'animation', '-crf', '27', '-threads', '1'],
  ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-pix_fmt', 'yuv420p', '-g', '150'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-map_metadata', '-1', '-movflags', '+faststart', '-an'],
];

async function encode(frames: Iterable<Uint8Array>, file: string): Promise<void> {
  const input = ['-f', 'image2pipe', '-framerate', String(framesPerSecond), '-i', '-'];
  const program = spawn(values.ffmpeg ?? 'ffmpeg', ['-v', 'error', '-y', ...input, ...encoding, file], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = new Promise<void>((done, fail) => {
    program.on('error', fail);
    program.on('exit', (code) => (code === 0 ? done() : fail(new Error(`ffmpeg ended with ${code}`))));
  });
  for (const bytes of frames) {
    if (!program.stdin.write(bytes)) await new Promise((drained) => program.stdin.once('drain', drained));
  }
  program.stdin.end();
  await ended;
}

function* framesOf(theme: Theme): Generator<Uint8Array> {
  for (let index = 0; index < moments.end * framesPerSecond; index += 1) {
    yield png(frame(index / framesPerSecond, theme, 'Inter, DejaVu Sans'));
  }
}

await initWasm(packaged('@resvg/resvg-wasm/index_bg.wasm'));
const assets = join(import.meta.dirname, '../content/assets');
for (const [name, theme] of Object.entries(themes)) {
  await encode(framesOf(theme), join(assets, `hold-to-talk-${name}.mp4`));
  const poster = frame(posterAt, theme, "-apple-system, system-ui, 'Segoe UI', sans-serif");
  await writeFile(join(assets, `hold-to-talk-${name}.svg`), poster);
}
