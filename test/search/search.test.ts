/** Search: relevance, stems, beginnings, phrases, typos, scripts without spaces, excerpts, paging, hostile input. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  createSearchIndex,
  type SearchDocument,
  type SearchOptions,
  type SearchPage,
  type SearchPosition,
} from '../../src/search/search.ts';
import { stem } from '../../src/search/stem.ts';

function doc(key: string, title: string, body: string, headings: string[] = []): SearchDocument {
  return { kind: 'doc', key, title, headings, body };
}

const documents: SearchDocument[] = [
  doc(
    'quickstart',
    'Quickstart',
    'Install the application, hold the shortcut and speak. The text appears at the cursor.',
    ['Install', 'Speak'],
  ),
  doc('dictation', 'Dictation', 'Dictating works in every application. A shortcut starts it; letting go ends it.', [
    'Push to talk',
    'Languages',
  ]),
  doc(
    'privacy',
    'Privacy model',
    'Speech is recognised on your Mac. Nothing is sent. Résumés and naïve words are safe.',
  ),
  doc(
    'backends',
    'Backends',
    'A backend rewrites what you said. The local one is free; push comes to shove, talk to us.',
  ),
  doc('japanese', '日本語', '音声入力の設定を変更するには、設定アプリを開きます。東京都でも使えます。'),
  doc('thai', 'ภาษาไทย', 'คุณสามารถเปลี่ยนการตั้งค่าภาษาได้'),
  doc('keys', 'Keyboard', 'The keyboard has keys. Use push-to-talk when it is loud.'),
  {
    kind: 'faq',
    key: 'offline',
    title: 'Does dictation work offline?',
    headings: ['Privacy'],
    body: 'Yes. It needs no network.',
  },
  { kind: 'faq', key: 'price', title: 'What does it cost?', headings: ['Pricing'], body: 'The application is free.' },
];

describe('search', () => {
  const index = createSearchIndex(documents);
  const find = (query: string, options: Partial<SearchOptions> = {}) => index.search(query, { limit: 10, ...options });
  const keys = (query: string, options: Partial<SearchOptions> = {}) => find(query, options).hits.map(({ key }) => key);

  it('puts a match in the title before one in the body', () => {
    assert.deepEqual(keys('privacy '), ['privacy', 'offline']);
  });

  it('puts the document that is named exactly so first', () => {
    assert.equal(keys('dictation')[0], 'dictation');
    assert.equal(keys('does dictation work offline')[0], 'offline');
  });

  it('puts a long page that is about a word before short entries that mention it', () => {
    const long = `${'Nothing leaves the computer. '.repeat(80)} Privacy.`;
    const mixed = createSearchIndex([
      doc('privacy-model', 'Privacy model', long),
      ...['a', 'b', 'c'].map((key) => ({
        kind: 'faq' as const,
        key,
        title: 'Why?',
        headings: ['Privacy'],
        body: 'So.',
      })),
    ]);
    assert.equal(mixed.search('privacy', { limit: 1 }).hits[0]?.key, 'privacy-model');
  });

  it('finds a document by the words of its key', () => {
    assert.equal(find('price ').hits[0]?.key, 'price');
  });

  it('gives scores above 0 with at most 4 decimals, best first', () => {
    const scores = find('application').hits.map(({ score }) => score);
    assert.ok(scores.length > 1);
    for (const score of scores) assert.ok(score > 0 && Number(score.toFixed(4)) === score);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });

  it('ranks by relevance even when every document has the word', () => {
    const everywhere = createSearchIndex([
      doc('a', 'One', 'sotto filler filler filler filler filler filler filler'),
      doc('b', 'Sotto', 'sotto sotto sotto'),
      doc('c', 'Three', 'sotto sotto filler filler filler filler filler'),
    ]);
    const { hits } = everywhere.search('sotto', { limit: 10 });
    assert.deepEqual(
      hits.map(({ key }) => key),
      ['b', 'c', 'a'],
    );
    assert.equal(new Set(hits.map(({ score }) => score)).size, 3);
  });

  it('finds words by their stem', () => {
    assert.ok(keys('installing ').includes('quickstart'));
    assert.ok(keys('dictates ').includes('dictation'));
    assert.ok(keys('rewrite ').includes('backends'));
  });

  it('takes the last word as a beginning, also past its stem', () => {
    for (const query of ['dict', 'dicta', 'dictat', 'dictati', 'dictatio', 'dictation', 'Dictatin']) {
      assert.ok(keys(query).includes('dictation'), query);
      assert.equal(find(query).searchedFor, null, query);
    }
    assert.deepEqual(keys('local rewri'), ['backends']);
  });

  it('takes the last word whole after a space or a closing quote', () => {
    assert.ok(keys('keyb').includes('keys'));
    assert.ok(keys('quicks').includes('quickstart'));
    assert.deepEqual(keys('quicks '), []);
    assert.deepEqual(keys('"quicks"'), []);
    assert.ok(keys('"push to ta').includes('keys'));
  });

  it('finds phrases in order, quoted or joined by hyphens', () => {
    assert.deepEqual(keys('"push to talk"').toSorted(), ['dictation', 'keys']);
    assert.deepEqual(keys('push-to-talk').toSorted(), ['dictation', 'keys']);
    assert.deepEqual(keys('“hold the shortcut”'), ['quickstart']);
    assert.equal(find('"talk to push"').searchedFor, 'talk OR push');
  });

  it('wants every word, and takes any of them only when no document has all', () => {
    assert.deepEqual(keys('shortcut cursor '), ['quickstart']);
    const any = find('keyboard network ');
    assert.deepEqual(any.hits.map(({ key }) => key).toSorted(), ['keys', 'offline']);
    assert.equal(any.searchedFor, 'keyboard OR network');
  });

  it('does not insist on the small words of a question', () => {
    assert.deepEqual(keys('How do I change what a backend rewrites?'), ['backends']);
    assert.equal(keys('what does it cost')[0], 'price');
    assert.ok(keys('"it"').includes('keys'));
  });

  it('corrects a word that no document has, and says so', () => {
    const typo = find('dictaton ');
    assert.equal(typo.searchedFor, 'dictation');
    assert.equal(typo.hits[0]?.key, 'dictation');
    assert.equal(find('shrotcut cursor').searchedFor, 'shortcut cursor');
    assert.equal(find('keyborad zzzzzzzz').searchedFor, 'keyboard');
    assert.deepEqual(keys('uninstall '), []);
    assert.deepEqual(find('zzzzzzzz'), { hits: [], next: null, searchedFor: null });
  });

  it('leaves diacritics and case out of account', () => {
    assert.deepEqual(keys('RESUME '), ['privacy']);
    assert.deepEqual(keys('naive '), ['privacy']);
    assert.deepEqual(keys('nai\u0308ve '), ['privacy']);
  });

  it('finds words of two characters in scripts without spaces', () => {
    for (const word of ['音声', '入力', '設定', '変更', '東京']) assert.deepEqual(keys(word), ['japanese'], word);
    assert.deepEqual(keys('音声入力の設定'), ['japanese']);
    assert.deepEqual(keys('ภาษา').toSorted(), ['thai']);
    assert.match(find('設定 ').hits[0]?.excerpt ?? '', /入力の\*\*設定\*\*を/);
  });

  it('finds only one kind when asked', () => {
    assert.deepEqual(keys('dictation', { kind: 'faq' }), ['offline']);
    assert.ok(!keys('dictation', { kind: 'doc' }).includes('offline'));
    assert.deepEqual(keys('keyboard', { kind: 'faq' }), []);
  });

  it('goes on after a hit that is gone, in the same attempt', () => {
    const { hits } = find('application');
    const second = hits[1];
    assert.ok(second);
    const rest = keys('application', { after: { score: second.score + 0.0001, kind: 'doc', key: 'zzz' } });
    assert.equal(rest[0], second.key);
    const last: SearchPosition = { score: 0, kind: 'faq', key: 'zzz' };
    const past = find('application', { after: last });
    assert.deepEqual(past, { hits: [], next: null, searchedFor: null });
  });

  it('never fails, whatever it is asked', () => {
    const hostile = [
      '',
      ' ',
      '"',
      '""""',
      '*',
      'a*',
      'NEAR(a b)',
      'NEAR(dictation shortcut, 2)',
      'title:dictation',
      'dictation AND',
      'NOT dictation',
      '{title} : x',
      '^dictation',
      'dictation + "',
      "'; DROP TABLE entry; --",
      'dicta\0tion',
      '\ud800',
      'dictation \udc00\ud800',
      '🙂🙂',
      '❤️',
      '!?'.repeat(100),
      'a '.repeat(100),
      '"a b" '.repeat(40),
      '音'.repeat(200),
      '\u0301\u0301',
      '⑴ ½ ﷺ',
    ];
    for (const query of hostile) assert.ok(Array.isArray(find(query).hits), query);
    assert.equal(find('title:dictation').searchedFor, 'dictation');
    for (const query of ['🙂🙂', '❤️', '!?'.repeat(100), '\0']) assert.deepEqual(keys(query), [], query);
    const piece = fc.constantFrom(
      ...['"', '*', ' ', 'dict', 'push-to', 'NEAR(', 'OR', '音声', '\ud83d', 'é', '(', ':', '\0', '“', 'keyborad', '-'],
    );
    const query = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 }).map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(query, (text) => {
        for (const { score, excerpt } of find(text).hits) {
          assert.ok(score > 0);
          assert.ok(excerpt.isWellFormed());
        }
      }),
      { numRuns: 500 },
    );
  });

  it('indexes any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, text, (title, body) => {
        const one = createSearchIndex([doc('one', `${title} dictation`, body), doc('two', '', '')]);
        const { hits } = one.search('dictation ', { limit: 5 });
        assert.equal(hits[0]?.key, 'one');
      }),
      { numRuns: 100 },
    );
  });

  it('searches nothing at all when there is nothing', () => {
    const empty = createSearchIndex([]);
    assert.deepEqual(empty.search('dictation', { limit: 10 }), { hits: [], next: null, searchedFor: null });
  });
});

describe('pages of search results', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta'];
  const corpus = fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('doc' as const, 'faq' as const),
      key: fc.stringMatching(/^[a-z]{1,3}$/),
      title: fc.constantFrom(...words),
      headings: fc.constant<string[]>([]),
      body: fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((parts) => parts.join(' ')),
    }),
    { maxLength: 40, selector: ({ kind, key }) => `${kind} ${key}` },
  );

  it('together are the whole result, without repeats or gaps, with equal scores in the order of kind and key', () => {
    const query = fc.constantFrom('alpha', 'alpha beta', 'beta alpha gamma delta', 'alpah', '"alpha beta"', 'al');
    const kind = fc.constantFrom(undefined, 'doc' as const, 'faq' as const);
    fc.assert(
      fc.property(corpus, query, kind, fc.integer({ min: 1, max: 7 }), (all, text, only, limit) => {
        const index = createSearchIndex(all);
        const filter = only === undefined ? {} : { kind: only };
        const whole = index.search(text, { ...filter, limit: 1000 });
        assert.equal(whole.next, null);
        const paged = [];
        let page: SearchPage = index.search(text, { ...filter, limit });
        for (; page.next !== null; page = index.search(text, { ...filter, limit, after: page.next })) {
          assert.equal(page.hits.length, limit);
          assert.equal(page.searchedFor, whole.searchedFor);
          paged.push(...page.hits);
        }
        paged.push(...page.hits);
        assert.deepEqual(paged, whole.hits);
        const name = (hit: { kind: string; key: string }) => `${hit.kind} ${hit.key}`;
        const sorted = paged.toSorted((a, b) => b.score - a.score || (name(a) < name(b) ? -1 : 1));
        assert.deepEqual(paged, sorted);
      }),
      { numRuns: 60 },
    );
  });
});

describe('excerpts', () => {
  const excerpt = (body: string, query: string, title = 'Title') => {
    const index = createSearchIndex([doc('one', title, body)]);
    const found = index.search(query, { limit: 1 }).hits[0]?.excerpt;
    return found;
  };
  const filler = (count: number) => 'lorem ipsum dolor sit amet '.repeat(count).trim();

  it('have matched words in bold, stems and beginnings too, as they are written', () => {
    assert.equal(excerpt('Dictating is fun. Dictate!', 'dictation '), '**Dictating** is fun. **Dictate**!');
    assert.equal(excerpt('A keyboard here.', 'keyb'), 'A **keyboard** here.');
    assert.equal(excerpt('Two cafés there.', 'CAFE '), 'Two **cafés** there.');
  });

  it('mark a phrase as a whole and its words nowhere else', () => {
    assert.equal(
      excerpt('To talk, use push-to-talk. Push it.', '"push to talk"'),
      'To talk, use **push-to-talk**. Push it.',
    );
  });

  it('show the place with the most distinct words, cut between words', () => {
    const body = `shortcut ${filler(20)} the shortcut of the keyboard ${filler(20)} keyboard`;
    const found = excerpt(body, 'shortcut keyboard ') ?? '';
    assert.match(found, /^….*the \*\*shortcut\*\* of the \*\*keyboard\*\* .*…$/);
    const text = found.replaceAll('**', '').replaceAll('…', '');
    assert.ok(text.length <= 160 && text.length > 120, String(text.length));
    assert.ok(` ${body} `.includes(` ${text} `));
  });

  it('are the beginning of the body when only the title or nothing of the body matches', () => {
    assert.equal(excerpt('Short body.', 'title'), 'Short body.');
    const found = excerpt(filler(20), 'title') ?? '';
    assert.match(found, /^lorem ipsum .*…$/);
    assert.ok(found.length <= 161);
    assert.equal(excerpt('', 'title'), '');
  });

  it('take bold marks and line breaks out of the text, and leave other markdown alone', () => {
    assert.equal(excerpt('A **bold**\n\nword and *one* `more`.', 'word '), 'A bold **word** and *one* `more`.');
    assert.equal(excerpt('before****after key', 'key '), 'beforeafter **key**');
  });

  it('do not cut a character in two', () => {
    for (let length = 150; length < 165; length += 1) {
      const found = excerpt(`${'x'.repeat(length)}${'𠮷'.repeat(40)}`, 'title') ?? '';
      assert.ok(found.isWellFormed());
    }
  });
});

describe('stems', () => {
  it('are those of SQLite’s own porter tokenizer', () => {
    const endings =
      ' s es ies ed ing y ational tional enci izer logi bli ization ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness ance er able ible ant ement ment ent ion tion ou ism iti ize e ll'.split(
        ' ',
      );
    const word = fc
      .tuple(fc.stringMatching(/^[a-xz]{3,8}$/), fc.constantFrom(...endings), fc.constantFrom(...endings))
      .map((parts) => parts.join(''));
    const words = [...new Set(fc.sample(word, { numRuns: 3000, seed: 1 }))];
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE VIRTUAL TABLE word USING fts5(text, tokenize = 'porter ascii')`);
    database.exec(`CREATE VIRTUAL TABLE term USING fts5vocab(word, 'instance')`);
    const insert = database.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
    for (const [at, text] of words.entries()) insert.run(at, text);
    for (const { term, doc: at } of database.prepare('SELECT term, doc FROM term').all()) {
      const text = words[Number(at)] ?? '';
      assert.equal(stem(text), term, text);
    }
    database.close();
  });
});
