/** Each kind of picture, opened. */
import { unreachable } from '../../domain/unreachable.ts';
import { openBeside } from './beside.ts';
import type { OpenPicture } from './picture-source.ts';
import { openStill } from './still.ts';
import { openTitle } from './title.ts';
import { openVideo } from './video.ts';

/** @throws {UndecodablePicture} */
export const openPicture: OpenPicture = (kit, picture, opening) => {
  switch (picture.is) {
    case 'video':
      return openVideo(kit, picture, opening);
    case 'still':
      return openStill(kit, picture, opening);
    case 'title':
      return openTitle(kit, picture, opening);
    case 'beside':
      return openBeside(kit, picture, opening, openPicture);
    default:
      return unreachable(picture);
  }
};
