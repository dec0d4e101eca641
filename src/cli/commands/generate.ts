/** `shotlist generate MODEL field=value …`: one request, made and saved, without a pipeline file. */
import { existsSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/models.ts';
import type { EnqueueRequest } from '../../api/queue.ts';
import type { Service } from '../../api/service.ts';
import { Store } from '../../artifacts/store.ts';
import { formatBytes } from '../../domain/format.ts';
import type { Model } from '../../domain/model.ts';
import { nearest } from '../../domain/nearest.ts';
import { findProject } from '../../host/project.ts';
import { parse, UsageError } from '../arguments.ts';
import { modelOf } from '../catalog-model.ts';
import { fetchResults } from '../fetch-results.ts';
import { requestOf } from '../field-values.ts';
import { guarded } from '../guarded.ts';
import { type Made, makeAtOnce, makeThroughQueue } from '../make.ts';
import { answered, HERE, INTERRUPTED, type OneOff, oneOff, say } from '../one-off.ts';
import { checkedRequest } from '../one-request.ts';
import { print } from '../outlets.ts';
import { placesOf } from '../places.ts';
import { safeJson } from '../shown.ts';
import { Stop } from '../stop.ts';

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    draft: { type: 'boolean', default: false },
    sync: { type: 'boolean', default: false },
    to: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [name, ...fields] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist generate MODEL field=value …');
  return oneOff(values, async given => {
    const model = await findModel(name, given);
    const { request, reasons } = await checkedRequest(model, requestOf(model, fields), given.choice.hosted);
    if (reasons.length > 0) throw new UsageError(`nothing was sent:\n${reasons.map(line => `  ${line}`).join('\n')}`);
    const sent: EnqueueRequest = { model: name, ...request };
    const made = values.sync ? await makeAtOnce(given, model, sent) : await makeThroughQueue(given, model, sent);
    const files = await save(made, given, name, values.to);
    const whole = { model: name, request, generation_id: values.sync ? null : made.id, files };
    if (values.json) print(`${safeJson(whole)}\n`);
    else for (const { path } of files) print(`${path}\n`);
    return 0;
  });
});

/** A label of the interface document, or any other id that the service's catalog knows. */
async function findModel(name: string, { service, signal }: OneOff): Promise<Model> {
  const known = modelLibrary.get(name) ?? modelOf(await asked(name, service, signal));
  if (known && known.produces !== 'text') return known;
  throw new UsageError(`${name} is a chat model: talk to it with \`shotlist chat ${name}\``);
}

async function asked(name: string, service: Service, signal: AbortSignal): Promise<CatalogModel> {
  const answer = await service.model(name, signal);
  if (answer.is !== 'absent') return answered(answer, signal);
  const near = nearest(name, modelLibrary.labels);
  const instead = near ? `did you mean \`${near}\`?` : '`shotlist models` lists what it has';
  throw new UsageError(`${service.name} has no model \`${name}\`; ${instead}`);
}

interface Saved {
  /** As a person would type it. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly result_url: string;
}

async function save(made: Made, given: OneOff, name: string, to: string | undefined): Promise<readonly Saved[]> {
  const { store: folder } = await placesOf(await findProject(HERE, process.cwd()));
  const store = await Store.open(folder);
  const fetchResult = fetchResults(store, given.choice.baseUrl);
  const saved: Saved[] = [];
  for (const [index, url] of made.urls.entries()) {
    const nth = index === 0 ? '' : `-${index + 1}`;
    const fetched = await fetchResult(url, `${made.id}${nth}`, given.signal);
    if (fetched.is !== 'ok') {
      throw new Stop(
        given.signal.aborted ? INTERRUPTED : 1,
        `${name} is made, and could not be fetched: ${fetched.message}\n  it is at ${url}`,
      );
    }
    const path = targetOf(to, `${name}-${made.id.slice(0, 8)}`, nth, extname(fetched.file));
    await store.materialise(fetched.sha256, resolve(path));
    say(`${name}: ${relative('', path)}, ${formatBytes(fetched.bytes)}`);
    const { sha256, bytes } = fetched;
    saved.push({ path: relative('', path), sha256, bytes, result_url: url });
  }
  return saved;
}

/** A folder, a path, or nothing: then here, under a name of its own. */
function targetOf(to: string | undefined, name: string, nth: string, ext: string): string {
  const own = `${name.replaceAll(/[^\w.-]+/g, '_')}${nth}${ext}`;
  if (to === undefined) return own;
  if (to.endsWith('/') || (existsSync(to) && statSync(to).isDirectory())) return join(to, own);
  if (nth === '') return to;
  return `${to.slice(0, to.length - extname(to).length)}${nth}${extname(to)}`;
}
