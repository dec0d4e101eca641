/** A process of its own, to be killed: publishes a file in parts, and prints how far it is. */

import { Secret } from '../../../src/machine/redactor.ts';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { Bucket } from '../../../src/records/store/publish/bucket.ts';
import { Publishing } from '../../../src/records/store/publish/publishing.ts';

const [endpoint = '', bucket = '', path = '', sha256 = '', size = ''] = process.argv.slice(2);
const place = { bucket, prefix: 'in/shots', endpoint };
const credentials = { keyId: 'S3RVER', key: new Secret('S3RVER') };
const sizes = { above: Number(size), size: Number(size) };
const way = new Bucket({ place, credentials, expires: 3_600_000, clock: systemClock, sizes });
const outcome = await new Publishing(way, systemClock).publish(
  { path, sha256, extension: '.mp4' },
  sent => process.stdout.write(`${sent}\n`),
  new AbortController().signal,
);
process.stdout.write(`${outcome.is}\n`);
await way.close();
