// Where the documentation lies, which the server has beside the page.
import { language } from './language';

export const HELP = '/help/';
export const FOR_BOTS = `${HELP}start/bot-writer.html`;

/** The rules of a game, or without one of all, in the page's language. */
export const rulesAt = (game = 'index') => `${HELP}rules/${language}/${game}.html`;
