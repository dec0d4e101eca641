/** How files are published on this machine, as the settings say. What does it is loaded with the first file. */
import { bucketPlace, shownPlace } from '../artifacts/publish/bucket-place.ts';
import type { Publishing, WayToPublish } from '../artifacts/publish/publishing.ts';
import { Refusal } from '../domain/decision-page.ts';
import type { Plan } from '../domain/plan.ts';
import { systemClock } from '../host/clock.ts';
import type { CommandRunner } from '../host/command-runner.ts';
import { deadline } from '../host/deadline.ts';
import type { PublishSettings } from '../host/publish-settings.ts';
import { localFilesInPlan } from '../plan/local-file-check.ts';
import type { Publisher } from '../run/ports/publisher.ts';
import type { PublishChoice, ServiceChoice } from './service-choice.ts';

interface PublisherParts {
  /** Absolute: where a command runs. */
  readonly root: string;
  readonly commands: Pick<CommandRunner, 'run'>;
}

/** `s3://films/in`, `./publish.sh` */
export const publishedTo = (settings: PublishSettings): string =>
  settings.is === 's3' ? shownPlace(settings) : settings.command.join(' ');

export function publisherLater(choice: PublishChoice, parts: PublisherParts): Publisher {
  const { settings, credentials } = choice;
  const to = publishedTo(settings);
  let started: Promise<Publishing> | undefined;
  return {
    to,
    async publish(content, hear, signal) {
      if (credentials?.is === 'none') return { is: 'failed', message: `${to}: ${credentials.message}` };
      started ??= start(choice, parts);
      return (await started).publish(content, hear, signal);
    },
    close: async () => (await started)?.close(),
  };
}

/** Milliseconds for a word of the bucket before a run: one that is silent is asked again by what publishes. */
const LOOK = 10_000;

/**
 * Where the plan publishes something, the bucket is looked at once before anything is paid for: its name, its region, the key, the clock.
 * @throws Refusal with what is wrong, and where it is set.
 */
export async function stopUnlessPublishable(
  plan: Plan,
  { elsewhere }: Pick<ServiceChoice, 'elsewhere'>,
  parts: PublisherParts,
): Promise<void> {
  const publish = elsewhere ? elsewhere.publish : undefined;
  if (publish?.credentials?.is !== 'found' || localFilesInPlan(plan).length === 0) return;
  const way = wayOf(publish, parts, await import('../artifacts/publish/index.ts'));
  using late = deadline(LOOK, { clock: systemClock });
  const problem = await way.problem?.(late.signal).finally(() => way.close());
  if (problem !== undefined) throw new Refusal(`${publish.settings.where}: ${problem}`);
}

async function start(choice: PublishChoice, parts: PublisherParts): Promise<Publishing> {
  const { Publishing, ...ways } = await import('../artifacts/publish/index.ts');
  return new Publishing(wayOf(choice, parts, ways), systemClock);
}

type Ways = Pick<typeof import('../artifacts/publish/index.ts'), 'Bucket' | 'PublishCommand'>;

function wayOf(
  { settings, credentials, variables }: PublishChoice,
  { root, commands }: PublisherParts,
  { Bucket, PublishCommand }: Ways,
): WayToPublish {
  const clock = systemClock;
  if (settings.is === 'command') {
    const { command, expires } = settings;
    return new PublishCommand({ command, expires, cwd: root, env: variables, clock, commands });
  }
  if (credentials?.is !== 'found') throw new Error('a bucket is used without a key');
  const place = bucketPlace(settings, credentials.region);
  return new Bucket({ place, credentials: credentials.credentials, expires: settings.expires, clock });
}
