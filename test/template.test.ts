/** Tests the template for Fly and Render: the files of `colophon init`, a Dockerfile of two lines, and settings that exist. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { readConfig } from '../src/config/environment.ts';
import { runColophon } from './support/command.ts';

const template = resolve(import.meta.dirname, '../examples/template');
const readTemplate = (name: string): Promise<string> => readFile(join(template, name), 'utf8');

describe('examples/template', () => {
  it('the template contains the files that colophon init writes, and passes colophon check', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-template-'));
    t.after(() => rm(folder, { recursive: true }));
    const args = ['--name', 'My App', '--vendor', 'My Company', '--website', 'https://example.com'];
    const { code, stdout, stderr } = await runColophon(['init', folder, '--yes', ...args]);
    assert.equal(code, 0, stderr);
    const files = /: (.*)\n/.exec(stdout)?.[1]?.split(', ') ?? [];
    assert.ok(files.includes('docs/quickstart.md'), stdout);
    const removeDate = (text: string): string => text.replace(/^updated: .*$/m, '');
    for (const file of files) {
      assert.equal(removeDate(await readTemplate(file)), removeDate(await readFile(join(folder, file), 'utf8')), file);
    }
    const checkResult = await runColophon(['check', template, '--format', 'github']);
    assert.equal(checkResult.code, 0, checkResult.stdout);
  });

  it('the Dockerfile copies the content to the CONTENT_DIR of fly.toml and render.yaml', async () => {
    assert.deepEqual((await readTemplate('Dockerfile')).trim().split('\n'), [
      'FROM ghcr.io/OWNER/colophon:latest',
      'COPY . /content',
    ]);
    const toml = await readTemplate('fly.toml');
    const fly = Object.fromEntries([...toml.matchAll(/^([A-Z_]+) = "(.*)"$/gm)].map(([, key, value]) => [key, value]));
    const { services }: { services: { envVars: { key: string; value?: string }[] }[] } = parse(
      await readTemplate('render.yaml'),
    );
    const render = Object.fromEntries(
      (services[0]?.envVars ?? []).map(({ key, value }) => [key, value ?? 'k'.repeat(32)]),
    );
    for (const env of [fly, render]) {
      const config = readConfig(env, '/');
      assert.equal(config.contentDir, '/content');
      assert.match(toml, new RegExp(`^internal_port = ${config.port}$`, 'm'));
      assert.match(String(config.baseUrl), /^https:\/\/my-app-docs\./);
    }
  });

  it('the workflow runs colophon check --format github for each pull request', async () => {
    const { on, jobs } = parse(await readTemplate('.github/workflows/check.yml'));
    assert.equal(on, 'pull_request');
    assert.equal(jobs.check.steps.at(-1).run, 'npx --yes colophon check --format github');
  });
});
