/** Answers three questions on the front page: what leaves the computer, what the product costs, and whether it runs on a computer. */
import { html, raw } from 'hono/html';
import type { z } from 'zod';
import { ApiError } from '../base/api-error.ts';
import { formatVersion, listKnownVersions, parseVersion, type SystemName, systemNames } from '../base/systems.ts';
import { findOlderSystem, getOlderSystemPath } from '../catalog/older-systems.ts';
import { describeTerms, joinFacts, numberInWords, writeAmount, writeProcessors } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { call } from '../operations/call.ts';
import { checkCompatibility, compatibilitySchema } from '../operations/compatibility.ts';
import { type Markup, renderAttributes } from './components/attributes.ts';
import { typeset } from './language.ts';
import { renderProse } from './prose.ts';
import { listNeedFacts, listRequiredNeeds } from './release-words.ts';
import type { Site } from './site.ts';

/**
 * Returns "Mac" for a product that runs only on macOS, otherwise the site's word for a computer: the value of `{computer}` in its
 * words.
 */
const nameComputer = ({ catalog, words }: Site): string =>
  catalog.supported.every(({ os }) => os === 'macOS') ? 'Mac' : words.computer;

/** Renders the questions with their answers; `query` is that of the form that asks whether it runs, and may be empty or invalid. */
export async function Questions(site: Site, query: URLSearchParams): Promise<Markup> {
  const computer = nameComputer(site);
  const [leaves, runs] = await Promise.all([renderDataFlow(site), CompatibilityForm(site, query)]);
  return html`<section class="answers"><div><h2 id="leaves">${fillWords(site.words.what_leaves, { computer })}</h2>
${leaves}</div>
<div><h2 id="plans">${site.words.what_does_it_cost}</h2>
${renderPrices(site)}</div>
<div><h2 id="runs">${fillWords(site.words.does_it_run, { computer })}</h2>
${runs}</div></section>`;
}

/** Renders the entry of the FAQ that product.yaml names, else a text made from `on_device` of the features; '' if there are no features. */
async function renderDataFlow(site: Site): Promise<Markup | ''> {
  const { product, features } = site.content;
  const { privacy } = product.home;
  const computer = nameComputer(site);
  const entry = privacy === undefined ? undefined : site.catalog.faqEntry(privacy);
  if (entry !== undefined) {
    const answer = await renderProse(site, entry.answer, {
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
  if (sending.length === 0) return html`<p>${fillWords(site.words.all_on_device, { computer })}</p>`;
  const [count = '', total = ''] = [features.length - sending.length, features.length].map((value) =>
    numberInWords(value, site.language),
  );
  return html`<p>${fillWords(site.words.most_on_device, { count, total, computer })}</p>
<ul>${sending.map(({ name, description }) => html`<li><strong>${typeset(site, name)}</strong>: ${typeset(site, description)}</li>`)}</ul>`;
}

function renderPrices(site: Site) {
  const { plans } = site.content.pricing;
  return html`<dl class="prices">${plans.map(
    ({ id, name, price, description }) =>
      html`<div><dt><a href="${site.root}/pricing#${id}">${typeset(site, name)}</a> <strong>${writeAmount(price.amount, price.currency, site.language)}</strong> ${describeTerms(price, site.words)}</dt><dd>${typeset(site, getFirstSentence(description))}</dd></div>`,
  )}</dl>
<p class="more"><a href="${site.root}/pricing">${site.words.pricing_in_full}</a></p>`;
}

const getFirstSentence = (text: string): string => /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;

/**
 * Renders a form that works without a script: a browser sends it to this page, which then shows the verdict, a sentence about an
 * invalid input, or the requirements if the query lacks the version or the processor. A snapshot, which has no server, has only
 * the requirements. Rejects only if the check fails otherwise than with an ApiError of a status below 500.
 */
async function CompatibilityForm(site: Site, query: URLSearchParams): Promise<Markup> {
  if (site.isSnapshot) return renderNeeds(site);
  const chosenVersion = query.get('os_version') ?? '';
  const arch = query.get('arch') ?? '';
  const [main] = site.catalog.systems;
  const testedVersion =
    main.testedUpTo === null ? '' : formatSentVersion(site, main.os, main.testedUpTo.replace(/\..*/, ''));
  const option = (value: string, text: string, selectedValue: string) =>
    html`<option${renderAttributes({ value, selected: value === selectedValue })}>${text}</option>`;
  const versions = site.catalog.systems.flatMap(({ os }) =>
    listKnownVersions(os).map(({ version, title }) =>
      option(formatSentVersion(site, os, version), title, chosenVersion || testedVersion),
    ),
  );
  return html`<form class="runs" action="${site.root}/#runs"><label><span>${site.words.system}</span><select name="os_version">${versions}</select></label>
<label><span>${site.words.processor}</span><select name="arch">${processors.map((value) => option(value, nameProcessor(site, value), arch))}</select></label>
<button type="submit">${site.words.check}</button></form>
${chosenVersion === '' || arch === '' ? renderNeeds(site) : await renderVerdict(site, chosenVersion, arch)}`;
}

const processors = ['arm64', 'x86_64'];

/**
 * Returns a version as the form sends it: with its system where the product has several, such as `macOS 26`. An empty version
 * becomes the system, also where there is only one.
 */
const formatSentVersion = ({ catalog }: Site, os: SystemName, version: string): string =>
  catalog.systems.length === 1 ? version || os : `${os} ${version}`.trim();

/**
 * Reads what the form sends: `26`, or `macOS 26` and `Linux` if the product has several systems. A text without a system in front
 * is all `os_version`, even if it is empty; a system alone has no `os_version`.
 */
function readVersion(chosenVersion: string): { os?: SystemName; os_version?: string } {
  const os = systemNames.find((name) => chosenVersion === name || chosenVersion.startsWith(`${name} `));
  if (os === undefined) return { os_version: chosenVersion };
  const version = chosenVersion.slice(os.length).trim();
  return { os, ...(version !== '' && { os_version: version }) };
}

/**
 * Returns the name of a processor: "Apple silicon" or "Intel" for a product that runs only on macOS, "Apple silicon (arm64)" for
 * one that also runs on another system, and otherwise the identifier itself.
 */
function nameProcessor(site: Site, arch: string): string {
  const systems = site.catalog.systems.map(({ os }) => os);
  const name = writeProcessors(systems.includes('macOS') ? 'macOS' : '', [arch], site);
  return systems.includes('macOS') && systems.length > 1 ? `${name} (${arch})` : name;
}

const renderNeeds = (site: Site) =>
  html`<p class="note">${site.words.needs}: ${joinFacts(listRequiredNeeds(site).map((need) => listNeedFacts([need]).join(', ')))}</p>`;

async function renderVerdict(site: Site, chosenVersion: string, arch: string) {
  const { name } = site.product;
  const sentSystem = readVersion(chosenVersion);
  const os = sentSystem.os ?? site.catalog.requirements.os;
  try {
    const { body } = await call(checkCompatibility, site.shown, { ...sentSystem, arch });
    const { compatible, untested, checks, last_release: last } = compatibilitySchema.parse(body);
    if (compatible) {
      const caveat = untested === true ? ` ${fillWords(site.words.not_tested_there, { os })}` : '';
      return html`<p class="verdict" role="status"><strong class="good">${fillWords(site.words.it_runs, { name })}</strong>${caveat}</p>`;
    }
    const older =
      last === undefined ? null : findOlderSystem(site.catalog, { os, osVersion: sentSystem.os_version ?? null });
    return html`<div class="verdict" role="status"><p><strong class="bad">${fillWords(site.words.it_does_not_run, { name })}</strong> ${checks.map((failed) => explainReason(site, os, failed)).join(' ')}</p>
${last && html`<p><a href="${last.url.slice(site.baseUrl.length)}">${fillWords(site.words.last_release_for_it, { name, version: last.version })}</a>${older && html` <a href="${site.root}${getOlderSystemPath(older)}">${fillWords(site.words.name_for_system, { name, system: older.name })}</a>`}</p>`}</div>`;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const version = sentSystem.os_version ?? chosenVersion;
    const sentence =
      error.code === 'unprocessable'
        ? fillWords(site.words.no_such_system, { system: `${os} ${version}` })
        : fillWords(site.words.not_a_version, { version, os });
    return html`<p class="verdict" role="status">${sentence}</p>`;
  }
}

/** Returns the sentence for a check that failed. `os` is the system that was checked. */
function explainReason(
  site: Site,
  os: SystemName,
  { code, required, given }: z.infer<typeof compatibilitySchema>['checks'][number],
): string {
  const { name } = site.product;
  if (code === 'os_unsupported')
    return site.catalog.systems.some((system) => system.os === given)
      ? fillWords(site.words.no_build_for, { name, system: given })
      : fillWords(site.words.os_unsupported, { name, required });
  const addOsName = (value: string): string =>
    code === 'arch_unsupported' ? writeProcessors(os, [value], site) : formatVersion(os, parseVersion(os, value) ?? []);
  return fillWords(site.words[code], { required: addOsName(required), given: addOsName(given) });
}
