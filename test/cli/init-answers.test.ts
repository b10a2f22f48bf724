/** Tests the questions of `colophon init`: a question with an invalid answer is repeated, and the other answers are kept. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Invocation } from '../../src/cli/command.ts';
import { readAnswers } from '../../src/cli/init-answers.ts';
import { createAppcast, createItem, wrapInAppcast } from '../support/feed-samples.ts';
import { startUpstream } from '../support/feed-upstream.ts';

/**
 * Runs the questions of `init` at a terminal with these answers in turn; an empty one accepts the preset. `flags` has the values of
 * flags by name. Returns the questions up to ` (`, the errors and the promise of the result, which rejects if an answer is missing.
 */
function runQuestions(answers: readonly string[], flags: Readonly<Record<string, string>> = {}) {
  const questions: string[] = [];
  const errors: string[] = [];
  const remainingAnswers = [...answers];
  const invocation: Invocation = {
    argument: null,
    flag: () => false,
    value: (name) => flags[name] ?? null,
    env: {},
    directory: import.meta.dirname,
    terminal: {
      out: () => {},
      error: (text) => void errors.push(text.trimEnd()),
      paint: (_, text) => text,
      paintError: (_, text) => text,
      isTerminal: true,
      isInteractive: true,
      prompt: () => assert.fail('there is a conversation already'),
    },
  };
  const ask = async (question: string, preset: string): Promise<string> => {
    questions.push(question.split(' (')[0] ?? '');
    const answer = remainingAnswers.shift();
    assert.ok(answer !== undefined, `nobody answers ${question}`);
    return answer || preset;
  };
  return { questions, errors, answers: readAnswers(invocation, ask, 'lamp') };
}

async function serveFeed(t: TestContext): Promise<string> {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  upstream.serveBytes(createAppcast('1.0'));
  return `${upstream.origin}/appcast.xml`;
}

it('colophon init repeats a question whose answer is invalid, and keeps the other answers', async (t) => {
  const url = await serveFeed(t);
  const key = 'A'.repeat(43);
  const { questions, errors, answers } = runQuestions([
    'x'.repeat(61),
    'Lamp',
    '',
    'notaurl',
    'https://lamp.example',
    'no-such-feed.xml',
    'abc',
    `${key}=`,
    url,
    `${key}=`,
  ]);
  const { feed, fetchesNotes, ...facts } = await answers;
  assert.equal(fetchesNotes, false);
  assert.deepEqual(facts, {
    name: 'Lamp',
    vendor: 'Lamp',
    website: 'https://lamp.example',
    publicKey: `${key}=`,
  });
  assert.deepEqual(feed?.sources, [{ source: url, public_keys: [`${key}=`], signature: 'optional' }]);
  assert.equal(feed.systems[0]?.latest.version, '1.0');
  assert.deepEqual(questions, [
    'The application’s name',
    'The application’s name',
    'Who makes it',
    'Its website',
    'Its website',
    'Its update feed, a URL or a file, or its repository, such as acme/larder',
    'Its public key: SUPublicEDKey, or `pubkey` of tauri.conf.json',
    'Its public key: SUPublicEDKey, or `pubkey` of tauri.conf.json',
    'Its update feed, a URL or a file, or its repository, such as acme/larder',
    'Its public key: SUPublicEDKey, or `pubkey` of tauri.conf.json',
  ]);
  for (const [index, pattern] of [
    /^It may have 60 characters, and has 61\.$/,
    /^It must be an http or https URL; it is `notaurl`\.$/,
    /^It must be the base64 of 32 bytes/,
    /The feed’s file cannot be read: ENOENT.*no-such-feed\.xml/,
  ].entries()) {
    assert.match(errors[index] ?? '', pattern);
  }
  assert.equal(errors.length, 4);
});

it('colophon init offers to fetch release notes that the feed only links to', async (t) => {
  const upstream = await startUpstream();
  t.after(() => upstream.close());
  upstream.serveBytes(
    wrapInAppcast(createItem('1', '<sparkle:releaseNotesLink>https://lamp.example/1</sparkle:releaseNotesLink>')),
  );
  const flags = {
    name: 'Lamp',
    vendor: 'Lamp',
    website: 'https://lamp.example',
    releases: `${upstream.origin}/appcast.xml`,
  };
  const { questions, answers } = runQuestions(['', 'y'], flags);
  assert.equal((await answers).fetchesNotes, true);
  assert.match(questions[1] ?? '', /^Fetch the notes of 1 release, which the feed only links to/);
  assert.equal((await runQuestions(['', ''], flags).answers).fetchesNotes, false);
});

it('colophon init skips the questions that flags answer', async () => {
  const { questions, answers } = runQuestions(['', ''], {
    name: 'Lamp',
    website: 'https://lamp.example',
    vendor: 'Works',
  });
  assert.deepEqual(await answers, {
    name: 'Lamp',
    vendor: 'Works',
    website: 'https://lamp.example',
    publicKey: null,
    feed: null,
    fetchesNotes: false,
  });
  assert.deepEqual(questions, ['Its update feed, a URL or a file, or its repository, such as acme/larder']);
});
