/** What expressions read of a choice: beside what a pick gives, and of an approval. */
import { BOOL, type RecordType, type Type } from './types.ts';

/** `choice` of what a pick gives. */
export const CHOICE: RecordType = {
  is: 'record',
  called: 'a choice',
  cel: 'Json',
  leadsTo: 'none',
  fields: new Map<string, Type>([
    ['by', { is: 'text', leadsTo: 'none' }],
    ['who', { is: 'text', leadsTo: 'none' }],
    ['at', { is: 'text', leadsTo: 'none' }],
    // null where there is no note, or no score
    ['note', { is: 'any' }],
    ['score', { is: 'any' }],
  ]),
};

/** The result of an `approve` step. */
export const APPROVED: RecordType = {
  is: 'record',
  called: 'an approval',
  cel: 'Approval',
  leadsTo: 'none',
  fields: new Map<string, Type>([
    ['approved', BOOL],
    ['by', { is: 'text', leadsTo: 'none' }],
    ['at', { is: 'text', leadsTo: 'none' }],
    // null where there is no note
    ['note', { is: 'any' }],
  ]),
};
