/** The door: loaded late, with the first file that is published. */
export { Bucket } from './bucket.ts';
export { PublishCommand } from './publish-command.ts';
export { Publishing } from './publishing.ts';
