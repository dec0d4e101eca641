/**
 * One PostgreSQL server for all files of a test run. The process that runs vitest starts it when the first file asks, and stops it at the
 * end. Without that process, as in a script, the server belongs to whoever asks.
 */
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** The port at which files ask for the server. */
const PORT = 'SHOTLIST_TEST_POSTGRES_PORT';

export type Server = Pick<PostgresServer, 'url' | 'programs'>;
type Answer = Server | { readonly error: string };

/** A global setup of vitest. Gives its teardown. */
export default async function listen(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const asked = createServer(async socket => {
    server ??= startPostgres();
    const answer: Answer = await server.then(
      ({ url, programs }) => ({ url, programs }),
      (error: Error) => ({ error: error.message }),
    );
    socket.on('error', () => {}).end(JSON.stringify(answer));
  });
  await new Promise<void>(resolve => asked.listen(0, '127.0.0.1', resolve));
  const address = asked.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  process.env[PORT] = String(address.port);
  return async () => {
    asked.close();
    await (await server?.catch(() => undefined))?.stop();
  };
}

let own: Promise<PostgresServer> | undefined;

export async function postgresOfRun(): Promise<Server> {
  const port = process.env[PORT];
  if (port === undefined) {
    own ??= startPostgres();
    return own;
  }
  const answer: Answer = JSON.parse(await text(connect(Number(port), '127.0.0.1')));
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
