/** Where a developer starts: five minutes that work when pasted, then one section for each thing to know. */
import { document } from '../../operations/markdown.ts';
import type { PageDocument } from '../page.ts';
import { productOf, type Site } from '../site.ts';
import { guidePage } from './guide-page.ts';
import { accessSections } from './start-access.ts';
import { firstSteps } from './start-first.ts';
import { programSections } from './start-programs.ts';
import { readingSections } from './start-reading.ts';

export async function developersPage(site: Site): Promise<PageDocument> {
  const { name } = productOf(site);
  return guidePage(site, {
    path: '/developers',
    title: 'Developers',
    description: `The ${name} API in five minutes: releases, documentation, prices and requirements, free, no key needed.`,
    parts: [
      document(
        `Read the releases, documentation, prices and requirements of ${name} from your program, and handle every response. Reading is free and needs no key.`,
        ...(await firstSteps(site)),
        ...accessSections(site),
        ...readingSections(site),
        ...(await programSections(site)),
      ),
    ],
  });
}
