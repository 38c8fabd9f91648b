import './lib/tokens.css';
import './lib/base.css';
import './lib/language';
import { mount } from 'svelte';
import App from './App.svelte';

if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js'); // there is none without https
mount(App, { target: document.getElementById('page')! });
