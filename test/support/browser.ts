/**
 * A real Chromium: Debian's package, driven by playwright-core, which brings no browser of its own. All test files of a run share one
 * (`shared-browser.ts`); outside of a run, each caller has its own.
 */
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type LaunchOptions,
} from 'playwright-core';
import { CHROMIUM } from './needs.ts';
import { POLL_PATIENCE } from './patience.ts';

/** The variable that holds the address at which the shared browser is asked for. */
export const SHARED_BROWSER = 'SHOTLIST_SHARED_BROWSER';

/**
 * The last `--disable-features` wins: what Playwright itself disables is listed again. The popups of the address bar are pages of
 * Chromium's own, which every new window loads in a process of its own: more than half of the processor time of a short test.
 */
const DISABLED_FEATURES = [
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning', 'AimEnabled'],
  ...['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup'],
];

const LAUNCH: LaunchOptions = {
  executablePath: CHROMIUM,
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--mute-audio',
    `--disable-features=${DISABLED_FEATURES.join()}`,
  ],
};

export const launchServer = (): Promise<BrowserServer> => chromium.launchServer(LAUNCH);

/** The browser that the test files of a run share, or one of the caller's own. `close` ends the caller's contexts in either case. */
export async function startChromium(): Promise<Browser> {
  const address = process.env[SHARED_BROWSER];
  if (address === undefined) return await chromium.launch(LAUNCH);
  const answer = await fetch(address);
  const endpoint = await answer.text();
  if (!answer.ok) throw new Error(endpoint);
  return await chromium.connect(endpoint);
}

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A page in a context of its own, the addresses that it asks for, and what its console has. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: DESK, ...options });
  context.setDefaultTimeout(POLL_PATIENCE);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', request => asked.push(request.url()));
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  return { context, page, asked, complaints };
}
