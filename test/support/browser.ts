/** A real Chromium: Debian's package, driven by playwright-core, which brings no browser of its own. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
// A build without a browser must not look like one that passed.
if (!hasChromium && process.env.CI)
  throw new Error(`there is no Chromium at ${CHROMIUM}: run .ci/install-debian, or name one in CHROMIUM`);

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
