/** Credentials from beginning to end: what they are for, a walkthrough that runs in the page, and every way to get one. */
import { html, raw } from 'hono/html';
import { renderInlineHtml } from '../../markdown/markdown.ts';
import { document } from '../../operations/markdown.ts';
import type { PageDocument } from '../page.ts';
import { anchorTo } from '../prose.ts';
import { productOf, type Site } from '../site.ts';
import { afterWalkthrough, beforeWalkthrough } from './authentication-sections.ts';
import { fence } from './fence.ts';
import { type GuidePart, guidePage } from './guide-page.ts';
import { type Highlighted, highlightedCode } from './operation-html.ts';
import { type WalkthroughStep, walkthroughSteps } from './walkthrough.ts';
import { readableJson } from './worked-example.ts';

export const authenticationPage = async (site: Site): Promise<PageDocument> =>
  guidePage(site, {
    path: '/developers/authentication',
    title: 'Authentication',
    description: `What credentials are for in the ${productOf(site).name} API, and how to get, use, refresh and revoke a token.`,
    parts: [document(...beforeWalkthrough(site)), await walkthrough(site), document(...afterWalkthrough(site))],
    script: 'walkthrough',
  });

const title = 'From 401 to a finished export';
const intro =
  'Ten requests, from the first 401 to the file of an export in the sandbox. The commands need curl and sed; run them in order, in one shell.';

interface Shown extends WalkthroughStep {
  /** JSON; null where no example is shown. */
  readonly response: string | null;
}

async function walkthrough(site: Site): Promise<GuidePart> {
  const steps = walkthroughSteps(site).map((step) => ({ ...step, response: exampleOf(site, step) }));
  const highlighted = await highlightedCode(
    site,
    steps.flatMap(({ command, response }) => [
      { code: command, language: 'sh' },
      ...(response === null ? [] : [{ code: response, language: 'json' }]),
    ]),
  );
  return {
    heading: { text: title, anchor: 'walkthrough', level: 2 },
    html: String(html`<section class="walkthrough" aria-labelledby="walkthrough">
<h2 id="walkthrough">${title}${raw(anchorTo(site, 'walkthrough', title))}</h2>
<p>${intro}</p>
<p data-script>Or send them from this page: each step has a button. What you get is kept until you leave the page.</p>
<p class="run" data-script><button type="button" data-run-all>Run all steps</button> <span role="status"></span></p>
<ol class="steps">${steps.map((step, index) => stepHtml(step, index + 1, highlighted))}</ol>
</section>`),
    markdown: document(
      `## ${title}`,
      intro,
      ...steps.flatMap((step, index) => [
        `### ${index + 1}. ${step.title}`,
        step.text,
        fence('sh', step.command),
        ...(step.response === null ? [] : ['The response:', fence('json', step.response)]),
      ]),
    ),
  };
}

const exampleOf = ({ endpoints }: Site, { example, run }: WalkthroughStep): string | null => {
  const endpoint = endpoints.find(({ id }) => id === example);
  const content = endpoint?.responses[run.expects]?.content?.[0];
  return content === undefined ? null : readableJson(content.example).text;
};

const stepHtml = ({ title: name, text, command, run, response }: Shown, number: number, highlighted: Highlighted) =>
  html`<li><h3 id="step-${number}">${name}</h3>
<p>${raw(renderInlineHtml(text))}</p>
<div class="code"><pre tabindex="0" role="group" aria-label="Command"><code class="language-sh">${raw(highlighted(command, 'sh'))}</code></pre></div>
${
  response === null
    ? ''
    : html`<details class="many"><summary>Example of the response</summary><div class="code"><pre tabindex="0" role="group" aria-label="Response"><code class="language-json">${raw(highlighted(response, 'json'))}</code></pre></div></details>`
}
<p class="run" data-script><button type="button" aria-describedby="step-${number}" data-run="${JSON.stringify(run)}">Run</button></p>
<div class="outcome" aria-live="polite"></div></li>`;
