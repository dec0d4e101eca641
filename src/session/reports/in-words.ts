import { writeErrorText } from '../../host/disk-error.ts';

/** Writes, and where a disk says no, throws what that is called by people. */
export async function inWords(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new Error(writeErrorText(error), { cause: error });
  }
}
