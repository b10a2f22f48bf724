/** The contract: every operation of the API, in the order in which documentation lists them. */
import { batch } from './batch.ts';
import { checkCompatibility } from './compatibility.ts';
import { getDoc, listDocs } from './docs.ts';
import { getExport, startExport } from './exports.ts';
import { getFaqEntry, listFaq } from './faq.ts';
import type { Operation } from './operation.ts';
import { getPricing, getRequirements, listFeatures } from './product.ts';
import { getLatestRelease, getRelease, listReleases } from './releases.ts';
import { search } from './search.ts';
import { serviceIndex } from './service-index.ts';

export const operations: readonly Operation[] = [
  serviceIndex(() => operations),
  listReleases,
  getLatestRelease,
  getRelease,
  listDocs,
  getDoc,
  listFaq,
  getFaqEntry,
  getPricing,
  listFeatures,
  getRequirements,
  checkCompatibility,
  search,
  batch,
  startExport,
  getExport,
];
