/** Tests the front page: the picture of the application, its sections and its form, and the page of a folder without pictures. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const html = { headers: { accept: 'text/html' } };

describe('GET /, the front page', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  const fetchPage = async (query = '') => (await server.request(`/${query}`, html)).text;

  it('the page shows the picture of the product, the last release and the features with their pictures', async () => {
    const page = await fetchPage();
    assert.match(
      page,
      /<div class="hero pictured">[\s\S]*<img src="\/assets\/hero\.svg" alt="A message in Mail\.[^"]*" width="960" height="540" fetchpriority="high">/,
    );
    assert.match(
      page,
      /<li id="feature-agent-mode"><img src="\/assets\/agent-preview\.svg" alt="[^"]+" width="\d+" height="\d+" loading="lazy" class="only-light"><img src="\/assets\/agent-preview-dark\.svg" [^>]+ class="only-dark"><h3>Agent mode<\/h3>/,
    );
    assert.equal(page.match(/<li id="feature-/g)?.length, 14);
    assert.match(page, /<h2 id="new">New in 2\.3\.0<\/h2>/);
    assert.match(page, /Choose the language, the cleanup and the insertion method for one application\./);
  });

  it('the page has a section on the data that leaves the Mac, and the prices', async () => {
    const page = await fetchPage();
    assert.match(page, /<h2 id="leaves">What leaves my Mac\?<\/h2>\s*<p>With the default settings:<\/p>/);
    assert.match(page, /<dt><a href="\/pricing#team">Sotto Team<\/a> <strong>24 USD<\/strong> per seat per year<\/dt>/);
  });

  it('the form reports whether the application runs on the system and processor of the query', async () => {
    const form = await fetchPage();
    assert.match(form, /<form class="runs" action="\/#runs">/);
    assert.match(form, /<option value="27" selected>macOS 27 Golden Gate<\/option>/);
    assert.doesNotMatch(form, /role="status"><strong/);
    assert.match(
      await fetchPage('?os_version=15&arch=arm64'),
      /<strong class="good">Yes, Sotto runs on it\.<\/strong>/,
    );
    const ventura = await fetchPage('?os_version=13&arch=arm64');
    assert.match(ventura, /<strong class="bad">No, Sotto doesn’t run on it\.<\/strong> macOS 13 \(Ventura\) is older/);
    assert.match(ventura, /<a href="\/releases\/1\.4\.0">Sotto 1\.4\.0 is the last release for it\.<\/a>/);
    assert.match(ventura, /<option value="13" selected>/);
    assert.match(ventura, /<meta name="robots" content="noindex">/);
    assert.match(ventura, /<a href="\/releases\/for\/macos-13">Sotto for macOS 13<\/a>/);
    assert.match(
      await fetchPage('?os_version=15&arch=x86_64'),
      /<strong class="good">Yes, Sotto runs on it\.<\/strong>/,
    );
    const intel = await fetchPage('?os_version=27&arch=x86_64');
    assert.match(intel, /It needs Apple silicon on that system, not Intel\./);
    assert.doesNotMatch(intel, /last release/);
    assert.match(await fetchPage('?os_version=17&arch=arm64'), /role="status">There’s no macOS 17\.</);
    assert.match(
      await fetchPage('?os_version=%3Cb%3E&arch=mips'),
      /role="status">&lt;b&gt; isn’t a version of macOS\.</,
    );
  });
});

it('GET / of a folder without pictures still has the privacy section and the form', async (t) => {
  const server = await startTestServer({ env: { CONTENT_DIR: writeContentFolder(t) } });
  t.after(() => server.close());
  const { text, status } = await server.request('/', html);
  assert.equal(status, 200);
  assert.match(text, /<div class="hero"><div>/);
  assert.match(text, /<h2 id="leaves">/);
  assert.match(text, /<form class="runs"/);
});
