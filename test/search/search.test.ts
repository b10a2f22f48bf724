/** Tests which sections a search query finds, their order, excerpts and cursors, and hostile queries. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { removeMarks } from '../../src/base/plain-text.ts';
import { parseMarkdown, toPlainText } from '../../src/markdown/markdown.ts';
import { buildIndex } from '../../src/search/build.ts';
import { collectSynonyms, createStemmer } from '../../src/search/language.ts';
import { openIndex, type SearchOptions } from '../../src/search/search.ts';
import { createDocument, createFaqEntry, createIndex, createPage, createSection } from '../support/search-index.ts';

const documents = [
  createPage(
    'quickstart',
    'Quickstart',
    'Get from the download to the first dictated sentence.',
    createSection(
      'Install it',
      'Open the disk image and drag the icon into the folder. Then hold the shortcut and speak.',
    ),
    createSection('Remove it', 'Drag the icon out of the folder.'),
  ),
  createPage(
    'dictation',
    'Dictation',
    'Dictating works in every window. A shortcut starts it; letting go ends it.',
    createSection('Push to talk', 'Hold the key while you speak.'),
    createSection('Hands-free mode', 'Press it twice to go on without holding.'),
    createSection('Languages', 'French and German are recognized.'),
  ),
  createPage(
    'privacy',
    'Privacy model',
    'Speech stays on your Mac. Résumés and naïve words are safe. Nothing is sent.',
  ),
  createPage(
    'problems',
    'Troubleshooting',
    'Find the symptom.',
    createSection('Nothing is heard', 'Choose the microphone in Settings, and check the permission of the microphone.'),
    createSection('It is slow', 'Choose a smaller model.'),
  ),
  createPage('japanese', '日本語', '音声入力の設定を変更するには、設定アプリを開きます。東京都でも使えます。'),
  createPage('thai', 'ภาษาไทย', 'คุณสามารถเปลี่ยนการตั้งค่าภาษาได้'),
  createPage(
    'reference',
    'Settings file',
    createSection('Keys', 'The key of each.', { code: 'setTimeout(startRecorder, 5)' }),
  ),
  createFaqEntry('offline', 'Does dictation work offline?', 'Yes. It needs no network.', 'Privacy'),
  createFaqEntry('price', 'What does it cost?', 'The application is free.', 'Pricing'),
  createDocument('release', '2.0.0', 'Version 2.0.0', 'The microphone is released after dictation.'),
];

const index = createIndex(documents);
const find = (query: string, options: Partial<SearchOptions> = {}) => index.search(query, { limit: 10, ...options });
const findKeys = (query: string, options: Partial<SearchOptions> = {}) =>
  find(query, options).hits.map(({ key }) => key);
const findFirst = (query: string) => {
  const [hit] = find(query).hits;
  return hit === undefined ? null : [hit.key, hit.section];
};

describe('GET /search: results', () => {
  it('a result is a section with its page', () => {
    const [hit] = find('hands free ').hits;
    assert.deepEqual(hit, {
      kind: 'doc',
      key: 'dictation',
      title: 'Dictation',
      section: 'Hands-free mode',
      anchor: 'hands-free-mode',
      score: hit?.score,
      excerpt: 'Press it twice to go on without holding.',
    });
    assert.deepEqual(findFirst('dictation'), ['dictation', null]);
  });

  it('a page has one section in the results, and a second one only if it matches almost as well', () => {
    assert.equal(findKeys('speak').filter((key) => key === 'dictation').length, 1);
    const twins = createIndex([
      createPage(
        'a',
        'A',
        createSection('Blue whale', 'It sings.'),
        createSection('Blue whale again', 'It sings.'),
        createSection('Blue', ''),
      ),
      createPage('b', 'B', 'Nothing.'),
    ]);
    assert.deepEqual(
      twins.search('blue whale ', { limit: 10 }).hits.map(({ section: heading }) => heading),
      ['Blue whale', 'Blue whale again'],
    );
  });

  it('the section with the most query words ranks first, and one word is enough to match', () => {
    assert.deepEqual(findFirst('choose smaller window '), ['problems', 'It is slow']);
    assert.ok(findKeys('choose smaller window ').includes('dictation'));
    assert.deepEqual(findFirst('How do I choose a smaller model for what I said?'), ['problems', 'It is slow']);
  });

  it('stop words match nothing unless the query has no other words', () => {
    assert.ok(!findKeys('how do I get the microphone to work ').includes('price'));
    assert.equal(findKeys('what does it ')[0], 'price');
  });

  it('synonyms of a query word match, but rank below the word itself', () => {
    assert.deepEqual(findFirst('uninstall '), ['quickstart', 'Remove it']);
    assert.deepEqual(findFirst('get rid of it '), ['quickstart', 'Remove it']);
    assert.deepEqual(findFirst('hotkey ')?.[0], 'dictation');
    assert.deepEqual(findFirst('mic not working ')?.[0], 'problems');
    const both = createIndex([createPage('a', 'A', 'Remove it.'), createPage('b', 'B', 'Uninstall it.')]);
    assert.deepEqual(
      both.search('uninstall ', { limit: 5 }).hits.map(({ key }) => key),
      ['b', 'a'],
    );
  });

  it('the vendor’s synonyms match, including phrases', () => {
    const vendorIndex = createIndex(
      [createPage('a', 'Flux', 'The flux capacitor hums.'), createPage('b', 'Other', 'It does not.')],
      {
        synonyms: [['time machine', 'flux capacitor']],
      },
    );
    const parts = createIndex([createPage('a', 'A', 'Only a capacitor.')], {
      synonyms: [['time machine', 'flux capacitor']],
    });
    assert.equal(parts.search('flux capacitor ', { limit: 1 }).hits[0]?.key, 'a');
    const { hits } = vendorIndex.search('how does the time machine work', { limit: 1 });
    assert.equal(hits[0]?.excerpt, 'The **flux capacitor** hums.');
    assert.deepEqual(
      createIndex(documents, { omitsBuiltInSynonyms: true }).search('time machine', { limit: 1 }).hits,
      [],
    );
  });

  it('British spellings match American ones and are not corrected', () => {
    const american = createIndex([
      createPage('a', 'A', 'License, organization, summarize, fix.'),
      createPage('b', 'B', 'Other.'),
    ]);
    for (const word of ['licence ', 'organisation ', 'summarise ', 'cure ']) {
      const { hits, searchedFor } = american.search(word, { limit: 5 });
      assert.deepEqual([hits.map(({ key }) => key), searchedFor], [['a'], null], word);
    }
  });

  it('a phrasal verb may have its object inside: “log me on” finds the same as “log on”, in any case', () => {
    const phrasalIndex = createIndex([
      createPage('a', 'A', 'Log on here.'),
      createPage('b', 'B', 'Sign in here.'),
      createPage('c', 'C', 'Other.'),
    ]);
    for (const query of ['log me on ', 'Log me on ', 'LOG ME ON ']) {
      assert.deepEqual(
        phrasalIndex.search(query, { limit: 5 }).hits.map(({ key }) => key),
        phrasalIndex.search('log on ', { limit: 5 }).hits.map(({ key }) => key),
        query,
      );
    }
  });

  it('inflected forms of a word match in the content’s language, if it has a stemmer', () => {
    assert.equal(findKeys('removing ')[0], 'quickstart');
    const german = createIndex([createPage('a', 'A', 'Die Einstellungen öffnen.'), createPage('b', 'B', 'Nichts.')], {
      language: 'de',
    });
    assert.equal(german.search('einstellung offnet ', { limit: 1 }).hits[0]?.key, 'a');
    const unknown = createIndex([createPage('a', 'A', 'Installing it.')], { language: 'eo' });
    assert.deepEqual(unknown.search('install ', { limit: 1 }).hits, []);
    assert.equal(unknown.search('installing ', { limit: 1 }).hits.length, 1);
  });

  it('the last word matches as a prefix, unless a space or a quotation mark follows it', () => {
    for (const query of ['dict', 'dicta', 'dictat', 'dictati', 'dictatio', 'dictation', 'Dictatin']) {
      assert.ok(findKeys(query).includes('dictation'), query);
      assert.equal(find(query).searchedFor, null, query);
    }
    assert.equal(findKeys('smaller mod')[0], 'problems');
    assert.deepEqual(findFirst('unins'), ['quickstart', 'Remove it']);
    assert.deepEqual(findKeys('quicks '), []);
    assert.deepEqual(findKeys('"quicks"'), []);
  });

  it('a phrase in quotes matches only sections that contain it exactly', () => {
    assert.deepEqual(findKeys('"push to talk"'), ['dictation']);
    assert.deepEqual(findKeys('“hold the shortcut”'), ['quickstart']);
    assert.deepEqual(findKeys('"talk to push"'), []);
    assert.deepEqual(findKeys('"privacy model" '), ['privacy']);
  });

  it('a compound word matches whether it is joined, separate or hyphenated', () => {
    for (const query of ['hands free ', 'hands-free ', 'handsfree ', 'Hands-Free ']) {
      assert.deepEqual(findFirst(query), ['dictation', 'Hands-free mode'], query);
      assert.equal(find(query).searchedFor, null, query);
    }
    const joinedIndex = createIndex([createPage('a', 'A', 'The handsfree set.'), createPage('b', 'B', 'Nothing.')]);
    assert.equal(joinedIndex.search('hands free ', { limit: 1 }).hits[0]?.key, 'a');
    const separateIndex = createIndex([
      createPage('a', 'A', 'Where hands are free.'),
      createPage('b', 'B', 'The hands free set.'),
    ]);
    for (const query of ['handsfree ', 'hands-free ']) {
      assert.equal(separateIndex.search(query, { limit: 1 }).hits[0]?.key, 'b', query);
    }
  });

  it('a camelCase word matches as a whole and by its parts', () => {
    assert.deepEqual(findFirst('timeout '), ['reference', 'Keys']);
    assert.deepEqual(findFirst('recorder '), ['reference', 'Keys']);
    assert.deepEqual(findFirst('setTimeout '), ['reference', 'Keys']);
  });

  it('a misspelled word is corrected, also if the other words are spelled correctly', () => {
    assert.equal(find('dictaton ').searchedFor, 'dictation');
    assert.equal(findFirst('choose micrphone ')?.[0], 'problems');
    assert.equal(find('choose micrphone ').searchedFor, 'choose microphone');
    assert.equal(find('unistall ').searchedFor, 'uninstall');
    const near = createIndex([createPage('a', 'A', 'A microphone. Two microphones.')]);
    assert.equal(near.search('micrphone ', { limit: 1 }).searchedFor, 'microphone');
    assert.deepEqual(findFirst('unistall '), ['quickstart', 'Remove it']);
    assert.deepEqual(find('zzzzzzzz'), { hits: [], rest: null, searchedFor: null, isTranslated: false });
  });

  it('at most eight misspelled words of a query are corrected', () => {
    const slips = 'dictaton shorcut windw languges germn recogized speach privcy permision '.split(' ').slice(0, 9);
    const corrected = 'dictation shortcut window languages german recognized speech privacy'.split(' ');
    assert.equal(find(`${slips.slice(0, 8).join(' ')} `).searchedFor, corrected.join(' '));
    assert.equal(find(`${slips.join(' ')} `).searchedFor, [...corrected, 'permision'].join(' '));
  });

  it('diacritics and case make no difference', () => {
    for (const query of ['RESUME ', 'naive ', 'nai\u0308ve ']) assert.deepEqual(findKeys(query), ['privacy'], query);
  });

  it('words of two characters match in scripts without spaces', () => {
    for (const word of ['音声', '入力', '設定', '変更', '東京']) assert.deepEqual(findKeys(word), ['japanese'], word);
    assert.deepEqual(findKeys('音声入力の設定'), ['japanese']);
    assert.deepEqual(findKeys('ภาษา'), ['thai']);
    assert.match(
      find('変更 ').hits[0]?.excerpt ?? '',
      /^音声入力の設定を\*\*変更\*\*するには、設定アプリを開きます。東京都でも使えます。$/,
    );
  });

  it('characters of two UTF-16 units match and are marked in the excerpt', () => {
    const astral = createIndex([createPage('a', 'A', 'In 𐐀𐐁𐐂 and 𠮷野家.'), createPage('b', 'B', 'Other.')]);
    assert.equal(astral.search('𐐀𐐁𐐂', { limit: 1 }).hits[0]?.excerpt, 'In **𐐀𐐁𐐂** and 𠮷野家.');
    assert.equal(astral.search('𠮷', { limit: 1 }).hits[0]?.excerpt, 'In 𐐀𐐁𐐂 and **𠮷**野家.');
  });

  it('all results have one of the requested kinds', () => {
    assert.deepEqual(findKeys('dictation', { kinds: ['faq'] }), ['offline']);
    assert.deepEqual(findKeys('microphone', { kinds: ['release'] }), ['2.0.0']);
    assert.deepEqual(findKeys('microphone', { kinds: ['plan'] }), []);
  });

  it('the results do not depend on the order of the documents in the index', () => {
    const reversedIndex = createIndex(documents.toReversed());
    for (const query of ['dictation', 'microphone ', 'it', 'hold the key']) {
      assert.deepEqual(reversedIndex.search(query, { limit: 10 }), find(query), query);
    }
  });

  it('no query fails', () => {
    const hostile = [
      ...['', ' ', '"', '""""', '*', 'a*', 'NEAR(a b)', 'title:dictation', 'NOT dictation', '{title} : x', "'; DROP"],
      ...['dicta\0tion', '\ud800', 'dictation \udc00\ud800', '🙂🙂', '❤️', '!?'.repeat(100), 'a '.repeat(100)],
      ...[
        '"a b" '.repeat(40),
        '音'.repeat(200),
        '\u0301\u0301',
        '⑴ ½ ﷺ',
        'constructor __proto__ toString',
        "can't won't",
      ],
    ];
    for (const query of hostile) assert.ok(Array.isArray(find(query).hits), query);
    for (const query of ['🙂🙂', '❤️', '!?'.repeat(100), '\0']) assert.deepEqual(findKeys(query), [], query);
    const piece = fc.constantFrom(
      ...[
        '"',
        '*',
        ' ',
        'dict',
        'push-to',
        'hands',
        'free',
        'not',
        '音声',
        '\ud83d',
        'é',
        '(',
        '\0',
        '“',
        'keyborad',
        '-',
      ],
    );
    const query = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 }).map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(query, (text) => {
        const before = JSON.stringify(find('choose microphone '));
        let last = Number.POSITIVE_INFINITY;
        for (const { score, excerpt } of find(text).hits) {
          assert.ok(score > 0 && score <= last && Number(score.toFixed(4)) === score);
          assert.ok(excerpt.isWellFormed());
          last = score;
        }
        // A search must not change the results of the next one.
        assert.equal(JSON.stringify(find('choose microphone ')), before);
      }),
      { numRuns: 300 },
    );
  });

  it('a document may have any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, text, text, (title, body, code) => {
        const matchingSection = createSection(title, `${body} xylophone`, { code });
        const textIndex = createIndex([createPage('one', title, matchingSection), createPage('two', '', '')], {
          omitsBuiltInSynonyms: true,
        });
        const { hits } = textIndex.search('xylophone ', { limit: 5 });
        assert.deepEqual(
          hits.map(({ key }) => key),
          ['one'],
        );
        // A tab or word joiner in the text of a section is a mark, which changes the excerpt.
        if (removeMarks(body) === body) assert.match(hits[0]?.excerpt ?? '', /\*\*xylophone\*\*$/);
      }),
      { numRuns: 100 },
    );
  });

  it('a search in an empty index and an empty query return no results', () => {
    const noResults = { hits: [], rest: null, searchedFor: null, isTranslated: false };
    assert.deepEqual(createIndex([]).search('dictation', { limit: 10 }), noResults);
    for (const query of ['', ' ', '""']) assert.deepEqual(find(query), noResults, JSON.stringify(query));
  });
});

describe('GET /search: excerpt', () => {
  const excerpt = (query: string, ...sections: Parameters<typeof createPage>[2][]) =>
    createIndex([createPage('one', 'One', ...sections)]).search(query, { limit: 1 }).hits[0]?.excerpt;

  it('the excerpt is the sentence with the most query words, and the sentences after it that fit', () => {
    const text = 'Wind the spring. Open the lid, e.g. Friday, with a spring key. Then wait. See version 2.0 for more.';
    assert.equal(
      excerpt('spring lid ', text),
      'Open the **lid**, e.g. Friday, with a **spring** key. Then wait. See version 2.0 for more.',
    );
    assert.equal(excerpt('spring ', `${'Wait here. '.repeat(30)}Wind the spring.`), 'Wind the **spring**.');
  });

  it('the excerpt marks words that were typed or corrected, synonyms and whole phrases, and no stop word', () => {
    assert.equal(excerpt('hotkeys ', 'A shortcut for you.'), 'A **shortcut** for you.');
    assert.equal(excerpt('shrotcut for ', 'A shortcut for you.'), 'A **shortcut** for you.');
    assert.equal(excerpt('uninstall ', 'How to get rid of it.'), 'How to **get rid of** it.');
    assert.equal(excerpt('short', 'A shortcut and a key.'), 'A **shortcut** and a key.');
  });

  it('the excerpt continues in the next block only after a complete sentence', () => {
    assert.equal(excerpt('lid ', 'Open the lid\nWait'), 'Open the **lid**');
    assert.equal(excerpt('lid ', 'Open the lid.\nWait'), 'Open the **lid**. Wait');
  });

  it('a sentence that only refers to another page matches, but is the excerpt only if there is no other text', () => {
    const { text = '' } =
      parseMarkdown('It sings. See [Whales](whales.md) for krill.\n\n[Costs](costs.md) has the table.').sections[0] ??
      {};
    assert.equal(excerpt('krill ', text), 'It sings.');
    const links = parseMarkdown('[Costs](costs.md) has the krill.').sections[0]?.text ?? '';
    assert.equal(excerpt('krill ', 'It dives.', createSection('Whale', links)), 'It dives.');
    assert.equal(excerpt('krill ', createSection('Whale', links)), 'Costs has the **krill**.');
    const setting = parseMarkdown('Set [`depth`](settings.md) for krill.').sections[0]?.text ?? '';
    assert.equal(excerpt('krill ', setting), 'Set depth for **krill**.');
  });

  it('a table row is the excerpt only if it matches better than any sentence, shortened to two cells', () => {
    const table = parseMarkdown(
      'It is large.\n\n| Whale | Eats | Depth |\n|-|-|-|\n| Minke | krill and fish | 100 m |\n| Blue | krill | 500 m |',
    ).sections[0]?.text;
    assert.equal(excerpt('krill ', table ?? ''), 'Minke – Eats: **krill** and fish');
    assert.equal(excerpt('blue ', table ?? ''), '**Blue** – Eats: krill');
    assert.equal(excerpt('large ', table ?? ''), 'It is **large**.');
    const pairs = parseMarkdown('| Key | Effect |\n|-|-|\n| Esc | cancels |').sections[0]?.text;
    assert.equal(excerpt('cancels ', pairs ?? ''), 'Esc – **cancels**');
  });

  it('a tab or word joiner in the author’s text is not a field separator or a link mark', () => {
    const read = (markdown: string) => parseMarkdown(markdown, 'page').sections[0]?.text ?? '';
    assert.equal(excerpt('krill ', read('Catch\tfish\tand krill.')), 'Catch fish and **krill**.');
    assert.equal(excerpt('krill ', read('It sings. See \u2060krill\u2060 now.')), 'See **krill** now.');
    assert.equal(
      excerpt('krill ', read('<details>\nIt sings. See \u2060krill\u2060 now.\n</details>')),
      'See **krill** now.',
    );
  });

  it('the excerpt is the first sentences without marks if only the heading matches', () => {
    assert.equal(excerpt('whale ', createSection('Whale', 'It sings. It dives.')), 'It sings. It dives.');
  });

  it('a line of code is the excerpt only if nothing else matches', () => {
    const code = 'const lid = open();\nclose(lid);';
    assert.equal(excerpt('close ', createSection('Whale', 'It sings.', { code })), '**close**(lid);');
    assert.equal(excerpt('close whale ', createSection('Whale', 'It sings.', { code })), 'It sings.');
  });

  it('a sentence that is too long is cut between words', () => {
    const longText = `${'so '.repeat(100)}wind the spring ${'and so '.repeat(60)}`;
    const text = excerpt('spring ', longText) ?? '';
    assert.match(text, /^…(so )+wind the \*\*spring\*\* and( \w+)+…$/);
    assert.ok(text.length < 200);
    assert.match(excerpt('設定 ', '音'.repeat(300)) ?? '', /^$/);
  });
});

describe('buildIndex and openIndex', () => {
  it('an index that is opened from a structured clone of the data returns the same results', () => {
    const stem = createStemmer('en');
    const data = buildIndex(documents, { stem, synonyms: collectSynonyms('en', []), toPlainText });
    const openedIndex = openIndex(structuredClone(data), stem);
    assert.deepEqual(openedIndex.search('microphone', { limit: 5 }), find('microphone', { limit: 5 }));
  });
});

describe('GET /search: cursor', () => {
  const whalePages = Array.from({ length: 60 }, (_, number) =>
    createPage(`p${number}`, `Page ${number}`, `whale ${'word '.repeat(number)}`),
  );

  it('the pages are the whole ranking, without repeats or gaps', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom('whale', 'page 7', 'whale "word word"'),
        (limit, query) => {
          const whaleIndex = createIndex(whalePages, { omitsBuiltInSynonyms: true });
          const fullResult = whaleIndex.search(query, { limit: 1000 });
          assert.equal(fullResult.rest, null);
          let result = whaleIndex.search(query, { limit });
          const pagedHits = [...result.hits];
          while (result.rest !== null) {
            result = whaleIndex.resume(query, result.rest, { limit }) ?? assert.fail('nothing is left');
            pagedHits.push(...result.hits);
          }
          assert.deepEqual(pagedHits, fullResult.hits);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('a cursor continues in another index without repeating or losing a section', () => {
    const oldIndex = createIndex(whalePages);
    const firstPage = oldIndex.search('whale ', { limit: 10 });
    const order = oldIndex.search('whale ', { limit: 100 }).hits.map(({ key }) => key);
    const changedPages = [
      ...whalePages.filter(({ key }) => key !== order[12] && key !== order[3]),
      ...Array.from({ length: 50 }, (_, number) => createPage(`new${number}`, 'Whale', 'whale whale whale')),
    ];
    const newIndex = createIndex(changedPages);
    const secondPage = newIndex.resume('whale ', firstPage.rest ?? assert.fail('there is no rest'), { limit: 100 });
    assert.deepEqual(
      secondPage?.hits.map(({ key }) => key),
      order.slice(10).filter((key) => key !== order[12]),
    );
    assert.equal(
      createIndex([createPage('x', 'X', 'whale')]).resume('whale ', firstPage.rest ?? assert.fail(), { limit: 5 }),
      null,
    );
  });

  it('all pages together have at most 600 results', () => {
    const crowd = createIndex(Array.from({ length: 900 }, (_, number) => createPage(`p${number}`, 'Page', 'whale')));
    const { hits, rest } = crowd.search('whale', { limit: 50 });
    assert.equal(hits.length, 50);
    assert.equal((rest?.length ?? 0) / 5, 550);
  });
});
