/**
 * `shotlist cancel FILE [KEY…]`: ends what earlier runs left going on at the service: generations, and deployments they brought up.
 * The journal learns what came of each.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { stepOf } from '../../domain/key.ts';
import { nearest } from '../../domain/nearest.ts';
import { systemClock } from '../../host/clock.ts';
import { findProject } from '../../host/project.ts';
import { servicesOf } from '../../run/cancel.ts';
import { openActivations } from '../../run/deployments.ts';
import { Journal, JournalBusy } from '../../run/journal.ts';
import { Ledger, type OpenSubmission } from '../../run/ledger.ts';
import { parse, UsageError } from '../arguments.ts';
import { endDeployment, endGeneration, type Told } from '../ending.ts';
import { guarded } from '../guarded.ts';
import { say } from '../one-off.ts';
import { print } from '../outlets.ts';
import { placesOf } from '../places.ts';
import { chooseService } from '../service.ts';
import { safeJson } from '../shown.ts';
import { interruptible } from '../signals.ts';
import { readText } from '../sources.ts';
import { Stop } from '../stop.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    draft: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const [file, ...keys] = positionals;
  if (file === undefined) throw new UsageError('which file? shotlist cancel FILE [KEY…]');
  // A name that was mistyped is no film without generations.
  readText(file);
  const choice = await chooseService(file, values);
  const { name } = choice;
  await using after = new AsyncDisposableStack();
  const journal = await journalOf(file);
  if (journal === undefined) return report([], values.json, `nothing of ${file} is open at ${name}`);
  after.defer(() => journal.close());
  const services = servicesOf(journal);
  const serviceOf = ({ nonce }: OpenSubmission) => services.get(nonce) ?? name;
  const open = Ledger.from(journal.submissions()).open;
  const here = open.filter(one => serviceOf(one) === name);
  const chosen = keys.length === 0 ? here : chosenBy(keys, here);
  // A deployment serves the whole film: it is no business of a few keys.
  const deployments = keys.length === 0 ? [...openActivations(name, journal)] : [];
  const service = await choice.connect();
  after.defer(() => service.close());
  const stop = new AbortController();
  after.defer(interruptible(() => stop.abort()));
  const world = { service, journal, file, signal: stop.signal, clock: systemClock };
  const told: Told[] = await Promise.all(chosen.map(one => endGeneration(one, world)));
  for (const [model, opened] of deployments) told.push(await endDeployment(model, opened, world));
  const elsewhere = new Set(open.map(serviceOf).filter(one => one !== name));
  const more = [...elsewhere].map(one => `some of it is open at ${one}: give the command again for that service`);
  const nothing = told.length === 0 ? [`nothing of ${file} is open at ${name}`] : [];
  return report(told, values.json, ...nothing, ...more);
});

/** Exit 1 while anything may go on that was asked to end. */
function report(told: readonly Told[], json: boolean, ...more: readonly string[]): number {
  if (json) print(`${safeJson(told.map(({ line: _line, ...one }) => one))}\n`);
  else for (const { line } of told) say(line);
  if (!json) for (const line of more) say(line);
  return told.every(({ open }) => !open) ? 0 : 1;
}

/** Undefined where nothing was ever run. */
async function journalOf(file: string): Promise<Journal | undefined> {
  const { runs } = await placesOf(await findProject(file, process.cwd()));
  const path = join(runs, 'journal.db');
  if (!existsSync(path)) return undefined;
  try {
    return Journal.open(path, systemClock);
  } catch (error) {
    if (!(error instanceof JournalBusy)) throw error;
    const again = `\`shotlist run --on-interrupt cancel ${asTyped(file)}\``;
    throw new Stop(
      2,
      `a run of ${file} is going on: press Ctrl-C there (it lets go), then cancel; a run started as ${again} cancels by itself when it is stopped`,
    );
  }
}

/** `shot` stands for all its instances. */
function chosenBy(keys: readonly string[], open: readonly OpenSubmission[]): readonly OpenSubmission[] {
  const names = [...new Set(open.flatMap(({ key }) => [key as string, stepOf(key) as string]))];
  for (const key of keys) {
    if (names.includes(key)) continue;
    const near = nearest(key, names);
    const known = open.length === 0 ? 'nothing is open' : `open: ${open.map(one => one.key).join(', ')}`;
    throw new UsageError(`${key} is not open at the service; ${near === undefined ? known : `did you mean ${near}?`}`);
  }
  return open.filter(({ key }) => keys.includes(key) || keys.includes(stepOf(key)));
}
