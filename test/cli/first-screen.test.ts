/** The text that `colophon serve` prints on a terminal: what it serves, where, who can reach it, and what to do next. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatFirstScreen } from '../../src/cli/first-screen.ts';

const plain = (_color: string, text: string): string => text;
const localServer = {
  productName: 'Lamp',
  baseUrl: 'http://127.0.0.1:8080',
  listenUrl: 'http://127.0.0.1:8080',
  adminUrl: null,
};
const listCommands = (text: string): string[] =>
  [...text.matchAll(/npx colophon (.*?) {2}/g)].map(([, words = '']) => words);

describe('the first screen of colophon serve', () => {
  it('the screen names the folder, the address, and three commands for the folder and the server', () => {
    const text = formatFirstScreen(localServer, 'lamp', plain);
    assert.match(
      text,
      /Colophon serves Lamp at http:\/\/127\.0\.0\.1:8080\n {2}Content: {3}lamp\n {2}Reached by this machine only/,
    );
    assert.deepEqual(listCommands(text), ['check lamp', 'dev lamp', 'check http://127.0.0.1:8080']);
  });

  it('the screen suggests colophon init if the example product is served', () => {
    const text = formatFirstScreen(localServer, null, plain);
    assert.match(text, /Content: {3}the example product/);
    assert.deepEqual(listCommands(text), ['init my-app', 'dev my-app', 'check http://127.0.0.1:8080']);
  });

  it('the screen names the URL behind the proxy, who can reach the port, and the admin URL', () => {
    const address = { ...localServer, baseUrl: 'https://lamp.example', listenUrl: 'http://0.0.0.0:8080' };
    assert.match(
      formatFirstScreen({ ...address, adminUrl: 'http://127.0.0.1:9464' }, 'lamp', plain),
      /Reached by a proxy, at http:\/\/0\.0\.0\.0:8080; every machine that reaches port 8080 of this one\n {2}Operators: http:\/\/127\.0\.0\.1:9464\/readyz/,
    );
  });
});
