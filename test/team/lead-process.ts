/**
 * A process that leads films over a team's database, for tests of what holds between processes: it asks admission for every request, sends
 * what may be sent to a service of the test's, follows it, and takes up what a process before it has left. Says `done FILM` of each.
 *
 *   node lead-process.ts URL SCHEMA SERVICE REQUESTS FILM…
 */
import { createHash, randomUUID } from 'node:crypto';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { NO_DEMAND } from '../../src/model/budget.ts';
import type { Event } from '../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { TeamNews } from '../../src/team/client/team-news.ts';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { CHAOS_KEY } from '../chaos/chaos-service.ts';
import { admitted } from '../support/admitted.ts';

const [url = '', schema = '', baseUrl = '', requests = '1', ...films] = process.argv.slice(2);
const team = new TeamDatabase({ url, schema });
const news = new TeamNews({ team, clock: systemClock });
const limits = { in_flight: 1_000, per_model: 1_000, submits_per_second: 1_000, attempts: 5 };
const service = connect({ name: 'house', baseUrl, key: CHAOS_KEY, clock: systemClock });
const MODELS = ['I-GEN-A', 'I-EDIT-A'] as const;
const never = new AbortController().signal;

await Promise.all(films.map(lead));
await team.close();
await service.close();
process.exit(0);

async function lead(film: string): Promise<void> {
  const submitted = `run of ${film}`;
  const [begun] = await team.query<{ epoch: number | null }>('SELECT begin_lead($1, $2) AS epoch', [
    submitted,
    String(process.pid),
  ]);
  if (begun?.epoch == null) throw new Error(`${film} is led by somebody else`);
  const run = randomUUID() as RunId;
  const journal = await TeamJournal.open({
    ...{ team, film, submitted, epoch: begun.epoch, account: 'house', clock: systemClock, newId: randomUUID },
    changed: (ms, signal, places) => news.placesLeft(places, ms, signal),
  });
  const admission = new JournalAdmission({
    ...{ journal, clock: systemClock, account: 'house', limits, owned: () => undefined },
    isRunning: other => journal.team.isRunning(other),
  });
  const record = (event: Event) => journal.append(run, [event]);
  await Promise.all([...Array(Number(requests)).keys()].map(n => make(`${film}-${n}`, MODELS[n % 2] ?? MODELS[0])));
  await journal.close();
  process.stdout.write(`done ${film}\n`);

  async function make(name: string, model: string): Promise<void> {
    const [key, fingerprint] = [name as InstanceKey, createHash('sha256').update(name).digest('hex')];
    if (journal.views.owned.find(fingerprint)) return;
    for (let again = false; ; again = true) {
      const intend = () => {
        const nonce = randomUUID();
        record({
          type: 'submit_intended',
          key,
          nonce,
          fingerprint,
          model,
          request: { name },
          price: 1,
          account: 'house',
        });
        return nonce;
      };
      const asked = { key, fingerprint, model, demand: NO_DEMAND, shared: true, again, intend };
      const answer = await admitted(admission, asked, never);
      switch (answer.is) {
        case 'go': {
          const id = await post(name, model);
          record({ type: 'submit_accepted', key, nonce: answer.nonce, generation_id: id, found: false });
          return follow(key, fingerprint, id);
        }
        case 'mine': {
          const { nonce, id } = answer.open;
          record({ type: 'taken_up', key, nonce, fingerprint, generation_id: id ?? null });
          if (id !== undefined) return follow(key, fingerprint, id);
          // Its answer was lost with the process: a POST may have been on its way.
          await systemClock.sleep(600);
          const listed = await service.history(never);
          if (listed.is !== 'ok') throw new Error(`the history is ${listed.is}`);
          const found = listed.value.find(({ prompt }) => prompt === name)?.generation_id as GenerationId | undefined;
          if (found !== undefined) {
            record({ type: 'submit_accepted', key, nonce, generation_id: found, found: true });
            return follow(key, fingerprint, found);
          }
          record({ type: 'submit_absent', key, nonce, reason: 'it is not listed' });
          break;
        }
        default:
          throw new Error(`${name} is ${answer.is}`);
      }
    }
  }

  async function post(name: string, model: string): Promise<GenerationId> {
    const answer = await service.enqueue({ model, prompt: name }, never);
    if (answer.is !== 'accepted') throw new Error(`${name} is ${answer.is}`);
    return answer.id as GenerationId;
  }

  /** Its place is free when it is known to be done, and not before. */
  async function follow(key: InstanceKey, fingerprint: string, id: GenerationId): Promise<void> {
    await journal.durable();
    for (;;) {
      const looked = await service.generation(id, never);
      if (looked.is === 'ok' && looked.value.status === 'succeeded') break;
      await systemClock.sleep(30);
    }
    const media = { kind: 'video', duration: 5 } as const;
    const file = { result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 };
    record({ type: 'generated', key, generation_id: id, result_url: file.result_url, cost: 1 } as Event);
    record({
      type: 'succeeded',
      key,
      fingerprint,
      result: { is: 'media', ...file, generation_id: id, request: {}, cost: 1, media },
    });
    await journal.durable();
  }
}
