/** The door: loaded late, where the settings name a team's store. */
export { SharedBucket } from './shared-bucket.ts';
export { SharedFolder } from './shared-folder.ts';
export { SharedResults } from './shared-results.ts';
export { SharedStore } from './shared-store.ts';
