/** The thread that builds a search index: documents come in slices, the index goes out without being copied. */
import { parentPort } from 'node:worker_threads';
import { buildIndex, transferables } from '../search/build.ts';
import type { SearchDocument } from '../search/document.ts';
import { stemmerFor } from '../search/stemmer.ts';
import { synonymsOf } from '../search/synonyms.ts';

/** Documents, or that all are there and in which language they are. */
export type IndexMessage =
  | { readonly documents: readonly SearchDocument[] }
  | { readonly language: string; readonly synonyms: readonly (readonly string[])[] };

const documents: SearchDocument[] = [];

parentPort?.on('message', (message: IndexMessage) => {
  if ('documents' in message) documents.push(...message.documents);
  else {
    const { language, synonyms } = message;
    const data = buildIndex(documents, { stem: stemmerFor(language), synonyms: synonymsOf(language, synonyms) });
    parentPort?.postMessage(data, transferables(data));
  }
});
