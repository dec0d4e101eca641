/** `over`: words or a picture over the picture, one or a list of them. */
import type { MapValue, Value } from '../../domain/pipeline.ts';
import type { CheckContext } from '../field-check.ts';
import { messages } from '../messages/index.ts';
import { checkMedia, checkOptions, valueIn } from './check-option.ts';
import { OVERLAY } from './clip-options.ts';

const overlaysIn = (value: Value): readonly MapValue[] =>
  value.is === 'map' ? [value] : value.is === 'list' ? value.items.filter(item => item.is === 'map') : [];

export function checkOverlays(value: Value, called: string, context: CheckContext): void {
  for (const overlay of overlaysIn(value)) checkOverlay(overlay, called, context);
}

function checkOverlay(overlay: MapValue, called: string, context: CheckContext): void {
  const { findings } = context;
  checkOptions(overlay, OVERLAY, option => `\`${option}\` of ${called}`, context);
  const [text, from, size] = ['text', 'from', 'size'].map(name => overlay.entries.find(entry => entry.name === name));
  if (!text && !from) findings.add(messages.overlayEmpty(), overlay.at);
  if (text && from) findings.add(messages.overlayTwice(), from.nameAt);
  if (text && size && !from) findings.add(messages.overlaySize(), size.nameAt);
  const source = valueIn(overlay, 'from');
  if (source) checkMedia(source, 'picture', { called: `\`from\` of ${called}` }, context);
}
