/** Tests the line above the results of a search: the fact for a question, the page to which it links, and the first results. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalog } from '../../src/catalog/catalog.ts';
import { findAnswer, listAnswers } from '../../src/operations/answer.ts';
import { createContent, createFeed } from '../support/catalog-samples.ts';

const price = { amount: 29, currency: 'USD', interval: 'once' as const, unit: null };
const plan = { description: 'For one person.', includes: [] };
const content = createContent({
  pricing: {
    plans: [
      { ...plan, id: 'free', name: 'Free', price: { ...price, amount: 0, interval: null } },
      { ...plan, id: 'pro', name: 'Pro', price, prices: [{ ...price, amount: 3, interval: 'month' }] },
    ],
    backends: [],
  },
  requirements: { disk_mb: 1200, memory_mb: 8192, permissions: [] },
  facts: [{ questions: ['how many Macs', 'number of Macs'], answer: 'Up to three Macs.', href: '/faq/why' }],
});
const catalog = createCatalog(content, createFeed([{ version: '2.1.0', build: '21' }]), () => []);
const getAnswer = (question: string) => findAnswer(question, listAnswers(catalog));

describe('findAnswer, the answer above the results of GET /search', () => {
  it('a question about the price returns every price of every plan, and the paid plan as the first document', () => {
    for (const question of ['How much does Example cost?', 'do I have to pay every month', 'was kostet es']) {
      const { text, path, documents } = getAnswer(question) ?? {};
      assert.deepEqual([text, path], ['Free\u00a0· Pro: 29 USD once or 3 USD per month', '/pricing'], question);
      assert.deepEqual(
        documents?.map(({ key }) => key),
        ['pro', 'free'],
      );
    }
  });

  it('a question about a free plan or a trial returns the free plan as the first document', () => {
    for (const question of ['is it free', 'is there a trial', 'can I try it before I buy'])
      assert.deepEqual(getAnswer(question)?.documents[0], { kind: 'plan', key: 'free' }, question);
  });

  it('a question about the system returns the requirements of the current release', () => {
    for (const question of ['system requirements', 'does it run on my old Mac']) {
      const { text, path, documents } = getAnswer(question) ?? {};
      assert.equal(
        text,
        'macOS 14.0 or later, Apple silicon or Intel\u00a0· Memory: 8 GB\u00a0· Disk space: 1,200 MB',
        question,
      );
      assert.deepEqual([path, documents], ['/#requirements', [{ kind: 'requirements', key: 'requirements' }]]);
    }
  });

  it('a question about an unsupported system returns the same requirements without a document', () => {
    for (const question of ['is there a Windows version', 'does it work on my iPhone'])
      assert.deepEqual(getAnswer(question), { ...getAnswer('system requirements'), documents: [] }, question);
  });

  it('a question about the version or a download returns the latest release, or null if there is none', () => {
    for (const question of ['latest version', 'download'])
      assert.deepEqual(getAnswer(question), {
        text: 'Example 2.1.0\u00a0· 1 March 2026',
        path: '/releases/2.1.0',
        documents: [{ kind: 'release', key: '2.1.0' }],
      });
    const emptyCatalog = createCatalog(content, null, () => []);
    assert.equal(findAnswer('latest version', listAnswers(emptyCatalog)), null);
  });

  it('a question of facts.yaml returns its answer in any word order, with or without stop words', () => {
    for (const question of ['how many Macs?', 'Macs, how many', 'the number of Macs', 'On how many Macs does Example'])
      assert.deepEqual(getAnswer(question), { text: 'Up to three Macs.', path: '/faq/why', documents: [] }, question);
  });

  it('a question with any other word, or without a word, returns null', () => {
    for (const question of [
      'price for students',
      'how many Macs in a company',
      'download a model',
      'free up disk space',
      'install',
      'toString',
      '',
    ])
      assert.equal(getAnswer(question), null, question);
  });
});
