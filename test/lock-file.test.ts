/** Tests that each installed package is in a lock file, with a digest and from npm, and that required packages run no install script. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly inBundle?: boolean;
}

const project = resolve(import.meta.dirname, '..');
const readJson = (path: string) => JSON.parse(readFileSync(join(project, path), 'utf8'));
const listPackages = (folder: string): [string, LockedPackage][] =>
  Object.entries<LockedPackage>(readJson(join(folder, 'package-lock.json')).packages).filter(([path]) => path !== '');

/** The packages of this repository that are linked into node_modules, with the folder that each link points to. */
const workspaceLinks: Readonly<Record<string, string>> = {
  'node_modules/@colophon/import': 'packages/import',
  'node_modules/colophon': '',
};

describe('package-lock.json', () => {
  for (const folder of ['.', 'test/interop', 'bench']) {
    it(`each package in ${folder}/package-lock.json has an exact version, a digest and no URL outside the npm registry`, () => {
      const packages = listPackages(folder);
      assert.ok(packages.length > 0);
      for (const [path, { version, resolved, integrity, link, inBundle }] of packages) {
        if (folder === '.' && (path in workspaceLinks || path === 'packages/import')) {
          assert.equal(link === true ? resolved : undefined, workspaceLinks[path], path);
          continue;
        }
        assert.equal(link, undefined, `${path} is a link`);
        assert.match(version ?? '', /^\d+\.\d+\.\d+/, path);
        // A package that is inside the tarball of another package has no separate digest.
        if (inBundle !== true) assert.match(integrity ?? '', /^sha512-[A-Za-z0-9+/]{86}==$/, path);
        assert.ok(resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'), `${path}: ${resolved}`);
      }
    });
  }

  it('each dependency in package.json has an exact version, and no required package has an install script', () => {
    const { dependencies, optionalDependencies } = readJson('package.json');
    for (const [name, range] of Object.entries({ ...dependencies, ...optionalDependencies }))
      assert.match(String(range), /^\d+\.\d+\.\d+$/, name);
    for (const [path, { dev, devOptional, optional, hasInstallScript }] of listPackages('.')) {
      if (dev !== true && devOptional !== true && optional !== true)
        assert.equal(hasInstallScript, undefined, `${path} has an install script`);
    }
  });

  it('no locked package installs a command named node, and five packages of Node are optional dependencies', () => {
    const { optionalDependencies } = readJson('package.json');
    const packages = listPackages('.').filter(([, { bin }]) => bin?.node !== undefined);
    assert.deepEqual(
      packages.map(([path]) => path),
      [],
      'remove `bin` from these entries of package-lock.json: npm links it into node_modules/.bin',
    );
    assert.equal(Object.keys(optionalDependencies).filter((name) => name.startsWith('node-')).length, 5);
  });

  it('no required package contains compiled code', () => {
    for (const [path, { dev, devOptional, optional, link }] of listPackages('.')) {
      if (dev === true || devOptional === true || optional === true || link === true) continue;
      const directory = join(project, path);
      assert.ok(existsSync(directory), `${path} is not installed`);
      const compiled = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.(node|so|dll|dylib)$/.test(file),
      );
      assert.deepEqual(compiled, [], path);
    }
  });

  it('each installed package has its locked version, and only optional packages may be missing', () => {
    for (const [path, { version, optional, link }] of listPackages('.')) {
      if (link === true) continue;
      const manifest = join(path, 'package.json');
      if (!existsSync(join(project, manifest))) {
        assert.equal(optional, true, `${path} is not installed: run npm ci`);
        continue;
      }
      assert.equal(readJson(manifest).version, version, path);
    }
  });
});
