/** A file that goes in one piece: it is there, or nothing of it is. */
import type { BucketRequests } from './bucket-requests.ts';
import { checkedUpload } from './checked-upload.ts';
import type { FileToPublish } from './publishing.ts';
import { objectHeaders, type Upload } from './upload.ts';

export function wholeUpload(file: FileToPublish, key: string, requests: Pick<BucketRequests, 'send'>): Upload {
  return {
    arrived: 0,
    beginAnew: () => true,
    end: async () => undefined,
    async send(hear, signal, over = 'anything') {
      hear(0, file.bytes);
      const reply = await requests.send({
        method: 'PUT',
        key,
        headers: {
          ...objectHeaders(file),
          'content-length': String(file.bytes),
          ...(over === 'nothing' && { 'if-none-match': '*' }),
          // Signed: who holds to it takes no other bytes.
          'x-amz-content-sha256': file.sha256,
        },
        body: checkedUpload(file, hear),
        signal,
      });
      if (reply.status !== 200) return { is: 'refused', reply };
      hear(file.bytes, file.bytes);
      return { is: 'taken' };
    },
  };
}
