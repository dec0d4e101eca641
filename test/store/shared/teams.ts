/** The forms of a team's store, for cases that hold for each: a folder, and a bucket of a real S3 server. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { type Clock, systemClock } from '../../../src/machine/time/clock.ts';
import { SharedBucket } from '../../../src/records/store/shared/shared-bucket.ts';
import { SharedFolder } from '../../../src/records/store/shared/shared-folder.ts';
import type { NotePlace, SharedPlace } from '../../../src/records/store/shared/shared-place.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { BUCKET, bucketServer, KEY } from '../publish/bucket-server.ts';

export interface Team {
  /** As one more machine reaches it. */
  place(clock?: Clock): SharedPlace & NotePlace;
  /** From here on it cannot be reached. */
  cutOff(): Promise<void>;
  /** Puts bytes there under a name that is not theirs. */
  lie(sha256: string, bytes: string): Promise<void>;
}

export const FOLDER_TEAM = async (): Promise<Team> => {
  const folder = join(await temporaryFolder(), 'team');
  await mkdir(folder);
  return {
    place: (clock = systemClock) => new SharedFolder({ folder, clock }),
    cutOff: () => rename(folder, `${folder}.unmounted`),
    async lie(sha256, bytes) {
      await mkdir(join(folder, sha256.slice(0, 2)), { recursive: true });
      await writeFile(join(folder, sha256.slice(0, 2), `${sha256}-${bytes.length}.mp4`), bytes);
    },
  };
};

export const BUCKET_TEAM = async (): Promise<Team> => {
  const server = await bucketServer();
  const place = { bucket: BUCKET, prefix: 'results', endpoint: server.url };
  return {
    place: (clock = systemClock) => new SharedBucket({ place, credentials: KEY, clock }),
    async cutOff() {
      server.misbehaves.push((request, response) => {
        request.resume();
        response.writeHead(503).end();
        return true;
      });
    },
    async lie(sha256, bytes) {
      const signed = await new AwsV4Signer({
        url: `${server.url}/${BUCKET}/results/${sha256}`,
        method: 'PUT',
        headers: { 'x-amz-meta-sha256': sha256 },
        body: bytes,
        accessKeyId: KEY.keyId,
        secretAccessKey: KEY.key.reveal(),
        service: 's3',
      }).sign();
      const { status } = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: bytes });
      if (status !== 200) throw new Error(`the server answers ${status}`);
    },
  };
};
