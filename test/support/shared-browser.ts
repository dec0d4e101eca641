/** Global set-up of a test run: one Chromium for all files of the run, started when the first of them asks for it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';
import { launchServer, SHARED_BROWSER } from './browser.ts';

export default async function shareBrowser(): Promise<() => Promise<void>> {
  let browser: Promise<BrowserServer> | undefined;
  // Answers with the address to connect to, or with why there is none.
  const door = createServer((_, response) => {
    browser ??= launchServer();
    browser.then(
      server => response.end(server.wsEndpoint()),
      error => response.writeHead(500).end(String(error)),
    );
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  process.env[SHARED_BROWSER] = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return async () => {
    door.close();
    door.closeAllConnections();
    await (await browser)?.close();
  };
}
