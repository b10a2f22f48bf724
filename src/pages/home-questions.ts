/** The three questions that decide whether somebody downloads it, answered on the front page: what leaves the computer, what it costs, whether it runs. */
import { html, raw } from 'hono/html';
import type { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { formatMacos, macosVersions, parseOsVersion } from '../base/os-version.ts';
import type { Release } from '../catalog/catalog.ts';
import { amountInWords, numberInWords, processorsInWords, termsInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import { call } from '../operations/call.ts';
import { checkCompatibility, compatibilitySchema } from '../operations/compatibility.ts';
import { getLatestRelease } from '../operations/releases.ts';
import { attributes } from './components/attributes.ts';
import { typeset } from './language.ts';
import { proseHtml } from './prose.ts';
import { releasePath, requiredProcessorsInWords } from './release-words.ts';
import type { Site } from './site.ts';

/** What readers call the machine that runs the application: fills `{computer}` in the site's words. */
const computer = 'Mac';

export async function Questions(site: Site, query: URLSearchParams) {
  const [leaves, runs] = await Promise.all([whatLeaves(site), doesItRun(site, query)]);
  return html`<section class="answers"><div><h2 id="leaves">${filled(site.words.what_leaves, { computer })}</h2>
${leaves}</div>
<div><h2 id="plans">${site.words.what_does_it_cost}</h2>
${prices(site)}</div>
<div><h2 id="runs">${filled(site.words.does_it_run, { computer })}</h2>
${runs}</div></section>`;
}

/** The vendor's own answer, else what the features say. */
async function whatLeaves(site: Site) {
  const { product, features } = site.content;
  const { privacy } = product.home;
  const entry = privacy === undefined ? undefined : site.catalog.faqEntry(privacy);
  if (entry !== undefined) {
    const answer = await proseHtml(site, entry.answer, {
      topLevel: 4,
      dialect: 'page',
      name: entry.id,
      hasAnchors: false,
    });
    const link = html`<p class="more"><a href="${site.root}/faq/${entry.id}">${site.words.more_about_this}</a></p>`;
    return html`${raw(answer)}${!answer.includes('<a ') && link}`;
  }
  const sending = features.filter(({ on_device }) => !on_device);
  if (features.length === 0) return '';
  if (sending.length === 0) return html`<p>${filled(site.words.all_on_device, { computer })}</p>`;
  const [count = '', total = ''] = [features.length - sending.length, features.length].map((value) =>
    numberInWords(value, site.language),
  );
  return html`<p>${filled(site.words.most_on_device, { count, total, computer })}</p>
<ul>${sending.map(({ name, description }) => html`<li><strong>${typeset(site, name)}</strong>: ${typeset(site, description)}</li>`)}</ul>`;
}

function prices(site: Site) {
  const { plans } = site.content.pricing;
  return html`<dl class="prices">${plans.map(
    ({ id, name, price, description }) =>
      html`<div><dt><a href="${site.root}/pricing#${id}">${typeset(site, name)}</a> <strong>${amountInWords(price.amount, price.currency, site.language)}</strong> ${termsInWords(price, site.words)}</dt><dd>${typeset(site, firstSentence(description))}</dd></div>`,
  )}</dl>
<p class="more"><a href="${site.root}/pricing">${site.words.pricing_in_full}</a></p>`;
}

const firstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

/** A form that works without a script: it leads to this page, which shows the verdict. */
async function doesItRun(site: Site, query: URLSearchParams) {
  const { platform } = site.product;
  const chosen = query.get('os_version') ?? '';
  const arch = query.get('arch') ?? '';
  const option = (value: string, text: string, picked: string) =>
    html`<option${attributes({ value, selected: value === picked })}>${text}</option>`;
  const versions = macosVersions();
  const picked = chosen === '' ? (platform.tested_up_to ?? '').replace(/\..*/, '') : chosen;
  const system = html`<select name="os_version">${versions.map(({ version, name }) => option(version, `macOS ${version} ${name}`, picked))}</select>`;
  return html`<form class="runs" action="${site.root}/#runs"><label><span>${site.words.system}</span>${system}</label>
<label><span>${site.words.processor}</span><select name="arch">${['arm64', 'x86_64'].map((value) => option(value, processorsInWords(site.catalog.requirements.os, [value], site), arch))}</select></label>
<button type="submit">${site.words.check}</button></form>
${chosen === '' || arch === '' ? needs(site) : await verdict(site, chosen, arch)}`;
}

const needs = (site: Site) => {
  const { catalog } = site;
  return html`<p class="note">${site.words.needs}: ${site.catalog.requirements.os} ${catalog.requirements.osVersion}, ${requiredProcessorsInWords(site)}</p>`;
};

async function verdict(site: Site, osVersion: string, arch: string) {
  const { name } = site.product;
  try {
    const { body } = await call(checkCompatibility, site.shown, { os_version: osVersion, arch });
    const { compatible, untested, checks } = compatibilitySchema.parse(body);
    if (compatible) {
      const caveat =
        untested === true ? ` ${filled(site.words.not_tested_there, { os: site.catalog.requirements.os })}` : '';
      return html`<p class="verdict" role="status"><strong class="good">${filled(site.words.it_runs, { name })}</strong>${caveat}</p>`;
    }
    const last = await lastRelease(site, osVersion, arch);
    return html`<div class="verdict" role="status"><p><strong class="bad">${filled(site.words.it_does_not_run, { name })}</strong> ${checks.map((failed) => reason(site, failed)).join(' ')}</p>
${last && html`<p><a href="${site.root}${releasePath(last)}">${filled(site.words.last_release_for_it, { name, version: last.version })}</a></p>`}</div>`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const sentence =
      error.code === 'unprocessable'
        ? filled(site.words.no_such_system, { system: `${site.catalog.requirements.os} ${osVersion}` })
        : filled(site.words.not_a_version, { version: osVersion, os: site.catalog.requirements.os });
    return html`<p class="verdict" role="status">${sentence}</p>`;
  }
}

/** What the response says for programs, for people. */
function reason(site: Site, { code, required, given }: z.infer<typeof compatibilitySchema>['checks'][number]): string {
  const { name } = site.product;
  if (code === 'os_unsupported') return filled(site.words.os_unsupported, { name, required });
  const named = (value: string): string =>
    code === 'arch_unsupported'
      ? processorsInWords(site.catalog.requirements.os, [value], site)
      : formatMacos(parseOsVersion(value) ?? []);
  return filled(site.words[code], { required: named(required), given: named(given) });
}

/** What the updater would offer that computer; null where there is nothing. */
async function lastRelease(site: Site, osVersion: string, arch: string): Promise<Release | null> {
  try {
    const { body } = await call(getLatestRelease, site.shown, { os_version: osVersion, arch });
    return site.catalog.release(String(body.version)) ?? null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
