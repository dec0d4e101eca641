/**
 * Every sentence the language says about a file. Facts come in as arguments, sentences go out; codes are stable, for tools.
 * Lower-case, concrete, and the end says what to do.
 */
import { choiceMessages } from './choice-messages.ts';
import { cutMessages } from './cut-messages.ts';
import { evaluationMessages } from './evaluation-messages.ts';
import { fanOutMessages } from './fan-out-messages.ts';
import { nameMessages } from './name-messages.ts';
import { outputMessages } from './output-messages.ts';
import { placeholderMessages } from './placeholder-messages.ts';
import { profileMessages } from './profile-messages.ts';
import { schemaMessages } from './schema-messages.ts';
import { secretMessages } from './secret-messages.ts';
import { shapeMessages } from './shape-messages.ts';
import { stepMessages } from './step-messages.ts';
import { syntaxMessages } from './syntax-messages.ts';
import { typeMessages } from './type-messages.ts';
import { untilMessages } from './until-messages.ts';
import { usesMessages } from './uses-messages.ts';
import { valueMessages } from './value-messages.ts';
import { yamlMessages } from './yaml-messages.ts';

export const messages = {
  ...yamlMessages,
  ...shapeMessages,
  ...schemaMessages,
  ...nameMessages,
  ...placeholderMessages,
  ...syntaxMessages,
  ...typeMessages,
  ...evaluationMessages,
  ...valueMessages,
  ...stepMessages,
  ...cutMessages,
  ...fanOutMessages,
  ...outputMessages,
  ...usesMessages,
  ...choiceMessages,
  ...untilMessages,
  ...secretMessages,
  ...profileMessages,
};
