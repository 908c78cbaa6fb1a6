import java.io.IOException;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import java.net.URI;

/** Apache HttpClient 5 retries 429 once. Configured: a retry strategy of its own, and interceptors for the gate. */
final class WithApache {
    static String retryAfter(HttpResponse response) {
        var header = response.getFirstHeader("Retry-After");
        return header == null ? null : header.getValue();
    }

    static final class Backoff implements HttpRequestRetryStrategy {
        @Override
        public boolean retryRequest(HttpRequest request, IOException error, int attempt, HttpContext context) {
            return false;
        }

        @Override
        public boolean retryRequest(HttpResponse response, int attempt, HttpContext context) {
            return response.getCode() == 429 && attempt < Petstore.ATTEMPTS;
        }

        @Override
        public TimeValue getRetryInterval(HttpResponse response, int attempt, HttpContext context) {
            return TimeValue.ofMilliseconds(Petstore.pauseMs(retryAfter(response), attempt - 1));
        }
    }

    static void pass(HttpRequest request, EntityDetails entity, HttpContext context) {
        Petstore.passGate();
    }

    static void close(HttpResponse response, EntityDetails entity, HttpContext context) {
        if (response.getCode() == 429) Petstore.closeGate(retryAfter(response));
    }

    public static void main(String[] arguments) throws InterruptedException {
        var connections = PoolingHttpClientConnectionManagerBuilder.create().setMaxConnPerRoute(10).build();
        var builder = HttpClients.custom().setConnectionManager(connections);
        if (!Petstore.asShipped(arguments)) {
            builder.setRetryStrategy(new Backoff());
            builder.addRequestInterceptorFirst(WithApache::pass).addResponseInterceptorFirst(WithApache::close);
        }
        CloseableHttpClient client = builder.build();
        Petstore.work((method, body) -> {
            var request = new HttpUriRequestBase(method, URI.create(Petstore.URL));
            request.setHeader("Authorization", Petstore.AUTHORIZATION);
            if (body != null) request.setEntity(new StringEntity(body, ContentType.APPLICATION_JSON));
            return client.execute(request, response -> {
                EntityUtils.consume(response.getEntity());
                return response.getCode();
            });
        });
    }
}
