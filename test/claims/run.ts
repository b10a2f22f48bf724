/** `npm run test:faults -- claims`: takes each defense of SECURITY.md away in a copy of the repository, and its test has to notice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../faults/table.ts';
import { createWorkspace, mostWorkspaces, type Workspace } from '../mutation/workspace.ts';
import { type Claim, claims } from './claims.ts';
import { faultsOf, rowsOf } from './table.ts';
import { type Trial, tryTest } from './trial.ts';

/** Whether every claim holds; `words` choose those whose rows, test or file have one of them. */
export async function runClaims(words: readonly string[]): Promise<boolean> {
  const page = readFileSync(join(projectFolder, 'SECURITY.md'), 'utf8');
  const faults = faultsOf(page, claims);
  for (const fault of faults) console.log(`✗ ${fault}`);
  if (faults.length > 0) return false;
  const isChosen = ({ rows, test, file }: Claim): boolean =>
    words.length === 0 || words.some((word) => [...rows, test, file].some((text) => text.includes(word)));
  const chosen = claims.filter(isChosen);
  const workspaces = Array.from({ length: mostWorkspaces }, () => createWorkspace(projectFolder));
  const left = [...chosen];
  const failed: Claim[] = [];
  try {
    await Promise.all(
      workspaces.map(async (workspace) => {
        for (let claim = left.shift(); claim !== undefined; claim = left.shift()) {
          if (!(await holds(workspace, claim))) failed.push(claim);
        }
      }),
    );
  } finally {
    for (const workspace of workspaces) workspace.remove();
  }
  const untested = rowsOf(page).filter(({ text }) => /not tested/.test(text)).length;
  console.log(
    `\n${chosen.length} claims of ${rowsOf(page).length} rows: ${chosen.length - failed.length} hold, ${failed.length} do not; ${untested} rows are not tested.`,
  );
  return failed.length === 0 && chosen.length > 0;
}

/** Milliseconds for a test on the code as it is, and the least for one without a defense. */
const [mostMs, leastMs] = [240_000, 20_000];

/** The test passes on the code as it is, and fails without the defense. */
async function holds(workspace: Workspace, claim: Claim): Promise<boolean> {
  const { file, from, to, test } = claim;
  const began = performance.now();
  const before = await tryTest(workspace.directory, test, mostMs);
  if (before.verdict !== 'passed') return report(claim, before, 'has to pass as things are', began);
  const start = readFileSync(join(workspace.directory, file), 'utf8').indexOf(from);
  const undo = workspace.change([{ path: file, start, end: start + from.length, text: to }]);
  try {
    const after = await tryTest(workspace.directory, test, leastMs + 4 * (performance.now() - began));
    // A test that waits for what no longer comes has noticed as well.
    if (after.verdict !== 'failed' && after.verdict !== 'timed out')
      return report(claim, after, 'has to fail without the defense', began);
  } finally {
    undo();
  }
  console.log(`✓ ${claim.rows.join('; ')}: ${test} (${seconds(began)} s)`);
  return true;
}

function report({ rows, test, file }: Claim, { verdict, said }: Trial, what: string, began: number): false {
  console.log(
    `✗ ${rows.join('; ')}: ${test} ${what}, and ${verdict} (${file}, ${seconds(began)} s)\n${said.replace(/^/gm, '    ')}`,
  );
  return false;
}

const seconds = (began: number): number => Math.round((performance.now() - began) / 1000);
