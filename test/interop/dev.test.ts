/** `colophon dev` in a real browser: faults on the page, and pages that reload after a change. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startColophon } from '../support/command.ts';
import { writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { findViolations } from './fixtures/accessibility.ts';
import { launchBrowser } from './fixtures/browser.ts';

const pageStart =
  '---\ntitle: Start\ndescription: The first light.\norder: 1\nupdated: 2026-01-31\n---\n## First light\n\n';

it('colophon dev in a browser shows faults accessibly, and reloads the page when a file is fixed or broken', async (t) => {
  const browser = await launchBrowser();
  if (typeof browser === 'string') {
    t.skip(`not run: ${browser}`);
    return;
  }
  t.after(() => browser.close());
  const folder = writeContentFolder(t, {
    'appcast.xml': createAppcast('1.0'),
    'features.yaml': 'features:\n  - id: Not An Id\n',
    'docs/start.md': 'no front matter',
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-dev-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const command = startColophon(['dev', folder], { env: { DATA_DIR: dataDir } });
  t.after(async () => {
    command.child.kill('SIGKILL');
    await command.exitCode;
  });
  const [, url = ''] = await command.waitForErrorOutput(/also listed at (http:\S+)\. Waiting/);

  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 390, 1440]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('503')) problems.push(message.text());
      });
      await page.goto(`${url}/docs/start`);
      problems.push(...(await findViolations(page)));
      const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (overflow > 0) problems.push(`${overflow} px wider than ${width}`);
      await context.close();
    }
  }
  assert.deepEqual(problems, []);

  const page = await browser.newPage();
  await page.goto(`${url}/docs/start`);
  assert.equal(await page.locator('.faults li').count(), Number((await page.title()).split(' ')[0]));
  writeContentFile(folder, 'features.yaml', 'features: []\n');
  writeContentFile(folder, 'docs/start.md', `${pageStart}Press the switch.\n`);
  await page.getByText('Press the switch.').waitFor();
  writeContentFile(folder, 'docs/start.md', `${pageStart}Turn the knob.\n`);
  await page.getByText('Turn the knob.').waitFor();
  writeContentFile(folder, 'docs/start.md', `${pageStart}[Lost](nowhere.md).\n`);
  await page.getByText(/^docs\/start\.md:9:\d+$/).waitFor();
  writeContentFile(folder, 'docs/start.md', `${pageStart}Turn it back.\n`);
  await page.getByText('Turn it back.').waitFor();
});
