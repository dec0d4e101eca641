/** `shotlist activate` and `shotlist deactivate`: asks, then waits until the deployment has come to rest. */
import type { CatalogModel, DeploymentStatus } from '../../api/catalog.ts';
import { systemClock } from '../../host/clock.ts';
import { parse, UsageError } from '../arguments.ts';
import { Stop } from '../errors/command-error.ts';
import { print } from '../outlets.ts';
import { safeJson } from '../terminal/indented-json.ts';
import { answered, INTERRUPTED, type OneOff, oneOff, say } from './with-service.ts';

interface Verb {
  readonly name: 'activate' | 'deactivate';
  readonly wanted: DeploymentStatus;
  /** On the way there. */
  readonly moving: DeploymentStatus;
  /** What it means to have arrived. */
  readonly so: (model: string) => string;
}

const VERBS = {
  activate: {
    name: 'activate',
    wanted: 'active',
    moving: 'deploying',
    so: model => `it bills until \`shotlist deactivate ${model}\``,
  },
  deactivate: { name: 'deactivate', wanted: 'inactive', moving: 'deactivating', so: () => 'it bills no more' },
} as const satisfies Record<string, Verb>;

/** Milliseconds between looks. */
const HOSTED_BEAT = 5_000;
const STUDIO_BEAT = 500;

export async function moveDeployment(verb: keyof typeof VERBS, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    draft: { type: 'boolean', default: false },
    'no-wait': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const [model, ...more] = positionals;
  if (model === undefined) throw new UsageError(`which model? shotlist ${verb} MODEL`);
  if (more.length > 0) throw new UsageError(`shotlist ${verb} takes one model; ${more.join(' ')} is too much`);
  return oneOff(values, async given => {
    const status = await move(VERBS[verb], model, given, values['no-wait'] ? 'at once' : 'settled');
    const told = values.json ? answered(await given.service.model(model, given.signal), given.signal) : undefined;
    print(told ? `${safeJson(told)}\n` : `${status}\n`);
    return 0;
  });
}

async function move(verb: Verb, model: string, given: OneOff, until: 'at once' | 'settled'): Promise<DeploymentStatus> {
  const { service, choice, signal } = given;
  const asked = await service[verb.name](model, signal);
  // "It is already so" is no failure: what was wanted is there, or on its way.
  const before =
    asked.is === 'refused' ? statusOf(answered(await service.model(model, signal, { live: true }), signal)) : undefined;
  if (before !== verb.wanted && before !== verb.moving) answered(asked, signal);
  let status = before ?? (asked.is === 'ok' ? statusOf(asked.value) : 'unknown');
  say(`${model}: ${before === undefined ? '' : 'already '}${status}`);
  while (until === 'settled' && status !== verb.wanted) {
    if (status === 'error')
      throw new Stop(1, `${model}: its deployment ended in an error; ${verb.name} it again, or ask the service why`);
    await systemClock.sleep(choice.hosted ? HOSTED_BEAT : STUDIO_BEAT, signal);
    if (signal.aborted) throw new Stop(INTERRUPTED, `${model}: still ${status}; it goes on by itself`);
    const answer = await service.model(model, signal, { live: true });
    // A look that failed is repeated; what will not get better is told.
    const now = answer.is === 'unavailable' ? status : statusOf(answered(answer, signal));
    if (now !== status) say(`${model}: ${now}`);
    status = now;
  }
  if (status === verb.wanted) say(`${model}: ${verb.so(model)}`);
  return status;
}

const statusOf = ({ deployments }: CatalogModel): DeploymentStatus => deployments[0]?.status ?? 'unknown';
