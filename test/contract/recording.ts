/** Writes down one case: the client's requests, the service's answers, and the cues between. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ProxyEvent } from './observing-proxy.ts';
import { type Answered, type Asked, type Line, lasting, sameness, telling, written } from './transcript.ts';

export class Recording {
  readonly #key: string;
  readonly #lines: Line[] = [];
  /** Where the case asks: becomes `{service}`. */
  #service = '';

  /** @param key written nowhere. */
  constructor(key: string) {
    this.#key = key;
  }

  tell = (passed: ProxyEvent): void => {
    if (passed.is === 'asked') return void this.#lines.push(this.#asked(passed));
    if (passed.is === 'ended') return void this.#lines.push(passed);
    if (passed.is === 'told') {
      return void this.#lines.push({ is: 'told', n: passed.n, frame: this.#placeless(passed.frame) });
    }
    const asked = this.#lines.find(line => line.is === 'asked' && line.n === passed.n) as Asked;
    this.#lines.push(this.#answered(asked, passed));
  };

  cue(text: string): void {
    this.#lines.push({ is: 'cue', text });
  }

  /** A question asked again between two cues, with the same answer, is written once: how often one polls is nobody's business. */
  get lines(): readonly Line[] {
    const said = new Map<string, string>();
    const left = new Set<number>();
    for (const line of this.#lines) {
      if (line.is === 'cue') said.clear();
      if (line.is !== 'asked' || line.method !== 'GET') continue;
      const answer = this.#lines.find(one => one.is === 'answered' && one.n === line.n) as Answered | undefined;
      const isStream = answer?.headers['content-type']?.startsWith('text/event-stream');
      const text = answer === undefined || isStream ? `${line.n}` : `${answer.status} ${answer.body}`;
      if (said.get(sameness(line)) === text) left.add(line.n);
      said.set(sameness(line), text);
    }
    const kept = this.#lines.filter(line => line.is === 'cue' || !left.has(line.n));
    const numbers = [...new Set(kept.flatMap(line => (line.is === 'cue' ? [] : [line.n])))];
    return kept.map(line => (line.is === 'cue' ? line : { ...line, n: numbers.indexOf(line.n) + 1 }));
  }

  #asked({ n, method, path, headers, body }: Extract<ProxyEvent, { is: 'asked' }>): Asked {
    if (/^127\.0\.0\.1:\d+$/.test(headers.host ?? '')) this.#service ||= `http://${headers.host}`;
    return {
      is: 'asked',
      n,
      method,
      path,
      headers: telling(headers, this.#key),
      body: written(this.#placeless(body)),
    };
  }

  #answered(
    { method, path }: Asked,
    { n, status, headers, body }: { n: number; status: number; headers: IncomingHttpHeaders; body: Buffer },
  ): Answered {
    const isText = /json|text/.test(headers['content-type'] ?? '');
    const whole = path === '/openapi.json' && status === 200 ? headOf(body) : body;
    const kept = isText ? Buffer.from(this.#placeless(whole.toString('utf8'))) : body;
    return { is: 'answered', n, status, headers: lasting(headers, method), body: kept };
  }

  #placeless(text: string): string {
    const here = this.#service === '' ? text : text.replaceAll(this.#service, '{service}');
    return here.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '{elsewhere}');
  }
}

/** Of a description as much as says whose it is: the rest is generated, and held to by everything that is recorded here. */
function headOf(description: Buffer): Buffer {
  const { openapi, info, servers } = JSON.parse(description.toString('utf8')) as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ openapi, info, servers }));
}
