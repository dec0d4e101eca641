/** `shotlist studio`: the built-in studio alone, until Ctrl-C. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { VERSION } from '../../app/service/version.ts';
import { whyNothingIsDrawn } from '../../machine/process/optional-packages.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { nothingBehind, portIn, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { jsonText, print, say } from '../outlets.ts';
import { chatUpstream, studioCache } from '../service/settings-of.ts';

export const main = command('studio', async ({ values, positionals }) => {
  nothingBehind(positionals, 'studio', 'no file');
  const port = portIn(values.port);
  const seed = Number(values.seed);
  if (!Number.isInteger(seed) || seed < 0 || seed > 2 ** 32)
    throw new UsageError(`--seed is a whole number from 0; \`${values.seed}\` is not`);
  if (values.vice.includes('list')) {
    const { viceList, VICES } = await import('../../studio/index.ts');
    const vices = Object.entries(VICES).map(([name, does]) => ({ name, does }));
    print(values.json ? jsonText({ version: 1, vices }) : `${viceList()}\n`);
    return 0;
  }
  const why = whyNothingIsDrawn();
  if (why !== undefined) throw new Refusal(why);
  const key = process.env.SHOTLIST_API_KEY || randomBytes(18).toString('base64url');
  const { serveStudio } = await import('../../studio/index.ts');
  const studio = await serveStudio({
    folder: resolve(values.folder),
    port,
    key,
    strict: values.strict,
    vices: values.vice,
    seed,
    speed: values.draft || process.env.SHOTLIST_STUDIO_SPEED === 'draft' ? 'draft' : 'full',
    localFiles: [process.cwd()],
    version: VERSION,
    ...studioCache(process.env, values.cache),
    ...chatUpstream(process.env),
    log: say,
  });
  // A reader of the address may end it at once.
  const stopped = new Promise<void>(stop => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop());
  });
  const isKeyOurs = !process.env.SHOTLIST_API_KEY;
  if (values.json) print(jsonText({ version: 1, url: studio.url, ...(isKeyOurs && { key }) }));
  else printStudio(studio.url, isKeyOurs ? key : undefined);
  await stopped;
  await studio.close();
  return 0;
});

/** A generated key is shown once: there is no other way to learn it. */
function printStudio(url: string, key: string | undefined): void {
  const lines = [`studio at ${url}`];
  if (key !== undefined) lines.push(`key ${key}`, `page ${url}/#key=${key}`);
  lines.push('', `SHOTLIST_BASE_URL=${url} SHOTLIST_API_KEY=… shotlist run FILE`);
  print(`${lines.join('\n')}\n`);
}
