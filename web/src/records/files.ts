// A file with a match in it, or why it has none.

export const LONGEST = 60_000; // letters that the server takes
type Read = { text: string } | { trouble: 'too-large' | 'not-text' };

export async function readText(file: Blob): Promise<Read> {
  if (file.size > 4 * LONGEST) return { trouble: 'too-large' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (text.includes('\0')) return { trouble: 'not-text' };
    return text.length > LONGEST ? { trouble: 'too-large' } : { text };
  } catch {
    return { trouble: 'not-text' };
  }
}
