/** Words that mean the same in software documentation, and words that say little in a query. */

/** Those of the language, as far as there are any, and the vendor's own. */
export const synonymsOf = (language: string, own: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  /^en(-|$)/i.test(language) ? [...english, ...own] : own;

/** Other spellings, and an older word. */
const british: ReadonlyMap<string, string> = new Map([
  ['license', 'licence'],
  ['organization', 'organisation'],
  ['summarize', 'summarise'],
  ['fix', 'cure'],
]);

/** Both ways, compared by stem; a word may be in several groups. An entry of several words is found as a phrase. */
export const english: readonly (readonly string[])[] = `
install, set up, setup
uninstall, remove, get rid of, delete
delete, remove, clear, erase, wipe, free up
hotkey, shortcut, keyboard shortcut, key binding, keybinding, key combination
microphone, mic, input device, headset, sound input
price, cost, fee
buy, purchase, pay, paid, order, checkout
what do I get, what is in, what is included, included, includes, comes with
difference between, compare, comparison, versus
license, seat
subscription, plan, tier, edition
renew, renewal, yearly, every year, per year, annual
telemetry, analytics, tracking, usage data, data collection, collect
problem, issue, trouble, troubleshooting, not working, does not work, doesn't work, broken, malfunction, stopped working, stops working, does not respond, does not react, no reaction, fail, failure, fault, nothing happens, does nothing
fix, solve, repair, troubleshooting
error, refused, rejected, invalid, denied, failed, problem
slow, late, lag, delay, performance, latency, takes too long, takes forever, takes ages
stuck, hang, freeze, stop, frozen, unresponsive
wrong, incorrect, inaccurate, bad, accuracy, mistake, misspelled
sign in, log in, login, signin, log on, account
sign up, register, registration, create account, account
requirement, system requirements, compatible, supported, minimum, prerequisite, before you start, do I need, does it need, what is needed
setting, preference, option, configuration, config
update, upgrade, new version, getting updates, newest version, latest version, new release
not getting updates, no update, no updates, does not update, not updating, cannot update, update not offered
release notes, what's new, changelog, changes
offline, without internet, no internet, without connection, no connection, without network, without wifi, no wifi
internet, network, connection, online, wifi, wi-fi
permission, privacy settings, access, authorization
revoke, withdraw, take back
grayed out, cannot be chosen, unavailable
turn off, disable, switch off, deactivate, stop
turn on, enable, switch on, activate
cancel, abort, discard, throw away
older version, previous version, old version, earlier version, downgrade
undo, go back, revert, restore
getting started, quickstart, quick start, first steps, tutorial, introduction
language, locale, translation
dictionary, vocabulary, custom words, spelling, terms, glossary
voice, speech, audio, spoken, speak
folder, directory, location, path
disk space, storage, hard drive, free space
memory, ram
forbid, block, prevent, restrict, disallow, not allowed
move to, transfer, migrate, another computer, new computer
computer, mac, machine, device, pc, laptop, macbook
backup, back up, export
transcript, history, recording
send, share, upload, transmit, leave
contact, support, help desk, customer service
bug report, report a problem, collect a log, crash log, crash, crashed, log
vulnerability, security problem, security issue, security hole, exploit
language model, llm, ai, artificial intelligence, model
local, on device, on your computer, runs on
cloud, hosted, remote, online service
company, business, organization, enterprise, employees, team
managed, mdm, administrator, admin, deploy, policy
application, app, program, software
shorten, summarize, shorter, summary
rewrite, rephrase, reword, edit, make this
best, recommended, should I choose, compare, which one
beta, preview release, early access, prerelease, new features early
show, appear, display, visible, show up
free, gratis, trial, free version, free plan, free of charge, for nothing
prompt, instruction, command, preset
expire, run out, end, renewal
private, privacy, personal data, spy, who sees, who can see, who can read
cancel subscription, cancel my subscription, stop paying, unsubscribe, renew, renewal
`
  .trim()
  .split('\n')
  .map((line) => line.split(', ').flatMap((word) => [word, british.get(word) ?? word]));

/** They count little, so that a question typed as a sentence finds what its other words mean. */
export const fillers: ReadonlySet<string> = new Set(
  `a about actually always am an and any anybody anyone app application are as at be been but by can could did didnt do
does doesnt dont every exactly find for from get give go going got has have help how i if im in into is it its ive just
let like make making many me more much my need not of on or please possible really s should show so some somebody
someone still t tell than that the their them then there these they thing things this to up us use used user using very
want was way we were what when where which who why will with won wont work working works would yes you your after again over see happens happen something anything own only too else while because said say here`.split(
    /\s+/,
  ),
);
