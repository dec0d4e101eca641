/** Opens the notes for `database.test.ts`, says so, and holds them until it is killed; or kills itself where the second argument says. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [path = '', moment = 'never'] = process.argv.slice(2);
if (moment === 'before the name') {
  // The draft is whole and has no name yet: the moment between making and placing.
  fs.linkSync = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();
}
const { openDatabase } = await import('../../src/machine/files/database.ts');
const { notes } = await import('./notes.ts');
const database = openDatabase(notes(path));
database.exec("INSERT INTO notes (text) VALUES ('paid')");
process.stdout.write('held\n');
setInterval(() => {}, 1_000);
