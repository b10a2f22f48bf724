/** The tables of SECURITY.md held against the claims: no row without one, no claim without its row. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder, referenceOf, titlesIn } from '../faults/table.ts';
import type { Claim } from './claims.ts';

interface Row {
  /** Its first cell. */
  readonly name: string;
  readonly text: string;
}

/** The rows that claim something: of each threat table all, of the ASVS those that say "met". */
export function rowsOf(page: string): Row[] {
  const rows: Row[] = [];
  let heads = '';
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) heads = '';
    else if (heads === '') heads = line;
    else if (!/^\|[-|]+$/.test(line)) {
      const cells = line.split('|').map((cell) => cell.trim());
      const isThreat = heads.startsWith('| Threat');
      if (isThreat || (heads.startsWith('| Id') && cells[3]?.startsWith('met'))) {
        rows.push({ name: cells[1] ?? '', text: line });
      }
    }
  }
  return rows;
}

/** What is wrong between the page and the claims, a sentence each. */
export function faultsOf(page: string, claims: readonly Claim[]): string[] {
  const rows = rowsOf(page);
  const names = new Set(rows.map(({ name }) => name));
  const faults = claims
    .flatMap((claim) => claim.rows)
    .filter((name) => !names.has(name))
    .map((name) => `There is no row "${name}".`);
  for (const { name, text } of rows) {
    const own = claims.filter((claim) => claim.rows.includes(name));
    const isUntested = /not tested/.test(text);
    if (own.length === 0 && !isUntested) faults.push(`"${name}" has no claim and does not say "not tested".`);
    if (own.length > 0 && isUntested) faults.push(`"${name}" has a claim and says "not tested".`);
    for (const { test } of own) {
      const { file } = referenceOf(test);
      if (!text.includes(file)) faults.push(`"${name}" does not name ${file}.`);
    }
  }
  return [...faults, ...claims.flatMap(faultsOfClaim)];
}

function faultsOfClaim({ test, file, from, to }: Claim): string[] {
  const { file: testFile, title } = referenceOf(test);
  const path = join(projectFolder, file);
  const found = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0;
  return [
    ...(titlesIn(testFile).includes(title) ? [] : [`${testFile} has no test "${title}".`]),
    ...(found === 1 && from !== '' ? [] : [`${file} has ${found} times what is to be changed: ${from.trim()}`]),
    ...(from === to ? [`${file} would not be changed: ${from.trim()}`] : []),
  ];
}
