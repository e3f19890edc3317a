// Pages work without this file. With it, the order page changes at once instead
// of by reloading, and keys can be copied with one press.
"use strict";

(() => {
	// Copy buttons are in the page but hidden: they need script.
	const dressCopy = (root) => {
		for (const button of root.querySelectorAll("[data-copy]")) {
			if (!navigator.clipboard) return;
			button.hidden = false;
			button.addEventListener("click", async () => {
				const source = document.getElementById(button.dataset.copy);
				const label = button.querySelector("span");
				const before = label.textContent;
				try {
					await navigator.clipboard.writeText(source.textContent.trim());
					label.textContent = "Copied";
				} catch {
					label.textContent = "Copying was refused";
				}
				setTimeout(() => { label.textContent = before; }, 2000);
			});
		}
	};

	// note remembers how the server sent each fold: what differs later was the
	// reader's wish.
	const note = (root) => {
		for (const fold of root.querySelectorAll("details[id]")) fold.dataset.sent = String(fold.open);
	};

	// content is an order as it was sent, but for the ages, which grow by themselves.
	const content = (order) => {
		const copy = order.cloneNode(true);
		for (const time of copy.querySelectorAll("time[data-relative]")) time.textContent = "";
		return copy.outerHTML;
	};

	// swap puts a newer version of the order in place. What the reader has
	// opened or closed stays so, and the focus stays where it was. The same
	// version again touches nothing: somebody may be at work in it.
	let shown = "";
	const swap = (live, html) => {
		const next = new DOMParser().parseFromString(html, "text/html").querySelector("[data-order]");
		const now = live.querySelector("[data-order]");
		if (!next || content(next) === shown) return;
		shown = content(next);
		note(next);
		for (const old of now.querySelectorAll("details[id]")) {
			const fresh = next.querySelector("#" + CSS.escape(old.id));
			if (fresh && String(old.open) !== old.dataset.sent) fresh.open = old.open;
		}
		const focused = document.activeElement && now.contains(document.activeElement) ? document.activeElement.id : "";
		now.replaceWith(next);
		dressCopy(next);
		if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
		const title = next.dataset.title;
		if (title && title !== document.title) {
			document.title = title;
			live.querySelector("[role=status]").textContent = next.querySelector("h1").textContent;
		}
	};

	const follow = (live) => {
		const stream = new EventSource(live.dataset.eventsUrl);
		stream.addEventListener("order", (event) => swap(live, event.data));
		stream.addEventListener("done", () => stream.close());
		stream.addEventListener("error", () => {
			// A browser reconnects by itself unless the answer was a refusal;
			// then the page is read again as often as it would be without script.
			if (stream.readyState !== EventSource.CLOSED) return;
			const seconds = Math.max(3, Number(live.dataset.refresh) || 10);
			setTimeout(async () => {
				try {
					const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
					if (answer.ok) swap(live, await answer.text());
				} catch { /* away: the next round may find it back */ }
				follow(live);
			}, seconds * 1000);
		});
		window.addEventListener("pagehide", () => stream.close(), { once: true });
		window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); }, { once: true });
	};

	// Relative times grow older while the page is open.
	const words = (seconds) => {
		const counted = (n, noun) => n + " " + noun + (n === 1 ? "" : "s") + " ago";
		if (seconds < 10) return "just now";
		if (seconds < 60) return counted(Math.floor(seconds), "second");
		if (seconds < 3600) return counted(Math.floor(seconds / 60), "minute");
		if (seconds < 86400) return counted(Math.floor(seconds / 3600), "hour");
		if (seconds < 604800) return counted(Math.floor(seconds / 86400), "day");
		return "";
	};
	const age = () => {
		for (const time of document.querySelectorAll("time[data-relative]")) {
			const text = words((Date.now() - Date.parse(time.dateTime)) / 1000);
			if (text) time.textContent = text;
		}
	};

	const live = document.querySelector("[data-events-url]");
	if (live) shown = content(live.querySelector("[data-order]"));
	dressCopy(document);
	note(document);
	if (live && window.EventSource) follow(live);
	setInterval(age, 15000);
})();
