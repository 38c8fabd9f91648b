import './lib/tokens.css';
import './lib/base.css';
import './lib/table.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { getLocale } from './generated/paraglide/runtime.js';

document.documentElement.lang = getLocale();
if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js'); // there is none without https
mount(App, { target: document.getElementById('page')! });
