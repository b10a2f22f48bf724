/** Bundles the server for publication: writes its sources and their packages as files of `lib/`, and returns the licenses as one text. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

/** Packages that stay dependencies, because the server reads files of theirs while it runs: fonts, WebAssembly, stemmers by language. */
export const unbundled: readonly string[] = ['@expo-google-fonts/inter', '@orama/stemmers', '@resvg/resvg-wasm'];

/**
 * Writes the bundle into the folder `lib`, an absolute path: `main.js`, `worker-main.js`, `authoring.js`, and the chunks that they
 * share or load later.
 * @returns the licenses of the bundled packages as one plain text, with the name and version of each.
 */
export async function bundleServer(lib: string): Promise<string> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', 'src/worker-main.ts', 'src/authoring.ts'],
    outdir: lib,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    charset: 'utf8',
    legalComments: 'none',
    external: [...unbundled, 'pg-native', '@colophon/import'],
    plugins: [ownAddresses],
    // Packages in CommonJS call `require` for Node's modules, and an ECMAScript module has no function `require`.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
    },
    metafile: true,
  });
  return collectLicenses(metafile);
}

/**
 * The plugin that corrects addresses: sources address files next to them by `import.meta`. All code is in `lib/` itself, so each
 * address is completed from there.
 */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = relative(join(root, 'src'), path).replaceAll('\\', '/').replace(/\.ts$/, '.js');
      const replacements: Readonly<Record<string, string>> = {
        url: `new URL('./${file}', import.meta.url)`,
        filename: `\`\${import.meta.dirname}/${file}\``,
        dirname: `\`\${import.meta.dirname}/${file.replace(/\/?[^/]*$/, '')}\``,
      };
      const text = await readFile(path, 'utf8');
      const contents = text.replace(
        /import\.meta\.(url|filename|dirname)\b/g,
        (match, name) => replacements[name] ?? match,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Returns a plain text with name, version, license and license text of every package in the bundle, which most licenses require of
 * a copy. A package without a license file has no license text. Equal entries occur once, and all are sorted by name.
 */
function collectLicenses({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const licenseTexts = [...new Set(folders)]
    .filter((folder) => folder !== '')
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
      return `${name} ${version}, ${license}\n\n${text}\n`;
    });
  return [...new Set(licenseTexts)].sort().join(`\n${'-'.repeat(80)}\n`);
}
