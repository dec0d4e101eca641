/** A SQLite database as a text of SQL and back: git shows what has changed in it. */
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/** Returns statements that make the database anew: tables, rows in their order, the version. */
export function sqlText(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const made = database
      .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .all();
    const tables = made.filter(({ type }) => type === 'table').map(({ name }) => String(name));
    const counters = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").get()
      ? ['sqlite_sequence']
      : [];
    const rows = [...tables, ...counters].flatMap(table =>
      database
        .prepare(`SELECT * FROM ${table} ORDER BY rowid`)
        .all()
        .map(row => `INSERT INTO ${table} VALUES (${Object.values(row).map(literal).join(', ')});`),
    );
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    return `${[
      ...made.map(({ sql }) => `${sql};`),
      'DELETE FROM sqlite_sequence;',
      ...rows,
      `PRAGMA user_version = ${version};`,
    ]
      .filter(line => counters.length > 0 || !line.includes('sqlite_sequence'))
      .join('\n')}\n`;
  } finally {
    database.close();
  }
}

/** @param path where there is no file yet. */
export function writeDatabase(path: string, text: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(`BEGIN;\n${text}\nCOMMIT;`);
  } finally {
    database.close();
  }
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
