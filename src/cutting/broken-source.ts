import { UndecodablePicture } from '../media/timed-frames.ts';
import { brokenSource } from './cut-messages.ts';

/** What cannot be decoded is told by the name that its author knows. */
export async function named<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UndecodablePicture) throw brokenSource(name, error.message);
    throw error;
  }
}
