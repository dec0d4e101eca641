/**
 * What the S3 server of the tests lacks of uploads in parts, over the files that it keeps them in: which are open, which parts one has, its
 * end, and that nothing is known of one that is over. It answers where the server says that it does not do this, which it says only of
 * what is signed well.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';

interface Open {
  readonly id: string;
  readonly key: string;
}

interface Answer {
  readonly status: number;
  readonly xml: string;
}

export class OpenUploads {
  readonly #folder: string;
  /** Parts told of in one answer. */
  readonly #page = 3;

  constructor(folder: string) {
    this.#folder = folder;
  }

  all(): readonly Open[] {
    if (!existsSync(this.#folder)) return [];
    const begun = (id: string) => statSync(join(this.#folder, id, 'key')).mtimeMs;
    return readdirSync(this.#folder)
      .filter(id => existsSync(join(this.#folder, id, 'key')))
      .sort((a, b) => begun(a) - begun(b))
      .map(id => ({ id, key: readFileSync(join(this.#folder, id, 'key'), 'utf8') }));
  }

  /** True: the request is for an upload that is not open, and answered. The server would begin it. */
  refuses({ searchParams }: URL, request: IncomingMessage, response: ServerResponse): boolean {
    const id = searchParams.get('uploadId');
    if (id === null || request.method === 'DELETE' || this.all().some(open => open.id === id)) return false;
    request.resume().on('end', () => {
      const { status, xml } = NO_UPLOAD;
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    });
    return true;
  }

  /** Has what the server would say that it does not do answered. */
  answers(url: URL, method: string, response: ServerResponse): void {
    const answer = this.#answerTo(url, method);
    if (!answer) return;
    const end = response.end.bind(response);
    response.end = ((...said: Parameters<typeof end>) => {
      if (response.statusCode !== 405 && response.statusCode !== 501 && response.statusCode !== 200)
        return end(...said);
      const { status, xml } = answer();
      response.statusCode = status;
      response.removeHeader('content-length');
      response.setHeader('content-type', 'application/xml');
      return end(xml);
    }) as typeof response.end;
  }

  #answerTo({ searchParams }: URL, method: string): (() => Answer) | undefined {
    const id = searchParams.get('uploadId');
    if (method === 'GET' && searchParams.has('uploads')) return () => this.#list(searchParams.get('prefix') ?? '');
    if (id === null || (method !== 'GET' && method !== 'DELETE')) return undefined;
    if (method === 'GET') return () => this.#parts(id, Number(searchParams.get('part-number-marker') ?? 0));
    return () => {
      if (!this.all().some(open => open.id === id)) return NO_UPLOAD;
      rmSync(join(this.#folder, id), { recursive: true });
      return { status: 204, xml: '' };
    };
  }

  #list(prefix: string): Answer {
    const open = this.all().filter(({ key }) => key.startsWith(prefix));
    const rows = open.map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`).join('');
    return { status: 200, xml: `<ListMultipartUploadsResult>${rows}</ListMultipartUploadsResult>` };
  }

  #parts(id: string, after: number): Answer {
    const folder = join(this.#folder, id);
    if (!existsSync(folder)) return NO_UPLOAD;
    const numbers = readdirSync(folder)
      .filter(name => /^\d+$/.test(name) && existsSync(join(folder, `${name}.md5`)))
      .map(Number)
      .filter(number => number > after)
      .sort((a, b) => a - b);
    const page = numbers.slice(0, this.#page);
    const rows = page.map(number => {
      const path = join(folder, String(number));
      const etag = readFileSync(`${path}.md5`, 'utf8');
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${etag}&quot;</ETag><Size>${statSync(path).size}</Size></Part>`;
    });
    const more = numbers.length > page.length;
    const next = more ? `<NextPartNumberMarker>${page.at(-1)}</NextPartNumberMarker>` : '';
    return {
      status: 200,
      xml: `<ListPartsResult><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</ListPartsResult>`,
    };
  }
}

const NO_UPLOAD: Answer = {
  status: 404,
  xml: '<?xml version="1.0"?><Error><Code>NoSuchUpload</Code><Message>The specified upload does not exist.</Message></Error>',
};
