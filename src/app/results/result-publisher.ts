/** How files are published on this machine, as the settings say. What does it is loaded with the first file. */

import type { CommandRunner } from '../../machine/process/command-runner.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { deadline } from '../../machine/time/deadline.ts';
import type { Plan } from '../../model/plan.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { localFilesInPlan } from '../../plan/media/local-file-check.ts';
import { bucketPlace, shownPlace } from '../../records/store/publish/bucket-place.ts';
import type { Publishing, WayToPublish } from '../../records/store/publish/publishing.ts';
import type { Publisher } from '../../run/ports/publisher.ts';
import type { PublishSettings } from '../../settings/publish-settings.ts';
import type { PublishChoice, ServiceChoice } from '../service/service-choice.ts';

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
    async publish(content, onProgress, signal) {
      if (credentials?.is === 'none') return { is: 'failed', message: `${to}: ${credentials.message}` };
      started ??= start(choice, parts);
      return (await started).publish(content, onProgress, signal);
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
  const way = wayOf(publish, parts, await import('../../records/store/publish/index.ts'));
  using late = deadline(LOOK, { clock: systemClock });
  const problem = await way.problem?.(late.signal).finally(() => way.close());
  if (problem !== undefined) throw new Refusal(`${publish.settings.where}: ${problem}`);
}

async function start(choice: PublishChoice, parts: PublisherParts): Promise<Publishing> {
  const { Publishing, ...ways } = await import('../../records/store/publish/index.ts');
  return new Publishing(wayOf(choice, parts, ways), systemClock);
}

type Ways = Pick<typeof import('../../records/store/publish/index.ts'), 'Bucket' | 'PublishCommand'>;

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
