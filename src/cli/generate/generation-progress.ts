/** Tells of one generation, a line for each change, and keeps what its outcome is told from. */
import { cleanText } from '../../domain/clean.ts';
import type { Event, RecordedEvent, Reporter } from '../../domain/event.ts';
import type { Failure } from '../../domain/failure.ts';
import { formatSeconds } from '../../domain/format.ts';
import { isOfInstance } from '../../records/views/instance-state.ts';
import { InstanceStory } from '../../records/views/instance-story.ts';

export class GenerationProgress implements Reporter {
  /** The result's address at the service. */
  url: string | undefined;
  cancelFailed: Extract<Event, { readonly type: 'cancel_failed' }> | undefined;
  readonly #story = new InstanceStory(null);
  readonly #service: string;
  readonly #say: (line: string) => void;
  #last = '';
  #lostAt: number | undefined;

  /** @param say is given one line at a time. */
  constructor(service: string, say: (line: string) => void) {
    this.#service = service;
    this.#say = say;
  }

  /** The id it has at the service. */
  get id(): string | undefined {
    return this.#story.generation ?? undefined;
  }

  get failure(): Failure | undefined {
    return this.#story.failure;
  }

  /** Unix milliseconds when it was sent, or taken up; undefined until then. */
  get sentAt(): number | undefined {
    return this.#story.attempts.at(-1)?.queued ?? this.#lostAt;
  }

  report(event: RecordedEvent): void {
    if (isOfInstance(event)) this.#story.apply(event);
    switch (event.type) {
      case 'submit_intended':
        if (event.via) this.#once(`sent to ${this.#service}, which answers when it is done`);
        break;
      case 'submit_accepted':
        this.#once(
          event.found
            ? `found at ${this.#service} as ${event.generation_id}, not sent twice`
            : `sent to ${this.#service} as ${event.generation_id}`,
        );
        break;
      case 'submit_refused':
        if (event.retry_at !== null)
          this.#once(`${event.reason}; sending it again in ${formatSeconds((event.retry_at - event.at) / 1000)}`);
        break;
      case 'submit_unknown':
        this.#lostAt ??= event.at;
        this.#once(`${cleanText(event.reason)}; looking for it before anything is sent`);
        break;
      case 'looking':
        if (event.until !== undefined)
          this.#once(`looking again in ${formatSeconds(Math.max(0, event.until - event.at) / 1000)}`);
        break;
      case 'submit_absent':
        this.#once(`not there: ${cleanText(event.reason)}; sending it again`);
        break;
      case 'taken_up':
        this.#once(`taken up again${event.generation_id === null ? '' : ` as ${event.generation_id}`}, not sent twice`);
        break;
      case 'progress':
        this.#once(standing(event));
        break;
      case 'generated':
        this.url = event.result_url;
        this.#once(`done in ${formatSeconds((event.at - (this.sentAt ?? event.at)) / 1000)}`);
        break;
      case 'service_changed':
        if (!event.reachable) this.#once(`the service does not answer (${cleanText(event.reason)}); asking again`);
        break;
      case 'journal_failed':
        for (const { generation_id } of event.unwritten)
          this.#once(`${generation_id} is paid for, and written down nowhere`);
        break;
      case 'cancel_failed':
        this.cancelFailed = event;
        break;
    }
  }

  async close(): Promise<void> {}

  #once(line: string): void {
    if (line !== this.#last) this.#say(line);
    this.#last = line;
  }
}

/** In tenths: a line for each percent would be a wall of text. */
function standing({ status, position, fraction }: Extract<Event, { readonly type: 'progress' }>): string {
  const word = cleanText(status);
  if (position) return `${word}, place ${position} in line`;
  return fraction ? `${word}, ${Math.floor(fraction * 10) * 10} %` : word;
}
